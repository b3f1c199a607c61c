package com.example;

/** Hands its own variable on. */
public class SubCrate<S> extends Crate<S> {
    public S extra;
}
