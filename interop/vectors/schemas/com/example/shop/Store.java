package com.example.shop;

/** An interface with a variable. */
public interface Store<T> {
    T first();
}
