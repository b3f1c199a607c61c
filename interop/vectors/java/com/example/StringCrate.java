package com.example;

/** Binds the superclass's variable to a final class. */
public class StringCrate extends Crate<String> {
    public String label;
}
