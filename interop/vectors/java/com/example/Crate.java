package com.example;

/** A generic class with the variable alone. */
public class Crate<T> {
    public T content;
}
