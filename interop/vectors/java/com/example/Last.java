package com.example;

/** A final generic class. */
public final class Last<T> {
    public T content;
    public T[] row;
}
