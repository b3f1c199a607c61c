package com.example;

import java.util.List;
import java.util.Map;

/** Arrays of a variable, alone and in a list. */
public class Row<T> {
    public T[] row;
    public List<? extends T[]> rows;
    public Map<String, Last<String>> lasts;
}
