package com.example;

import java.util.List;

/** Binds the superclass's variable to a parameterized type. */
public class ListCrate extends Crate<List<String>> {
    public int size;
}
