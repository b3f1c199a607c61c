package com.example;

import java.util.List;
import java.util.Map;

/** A generic class: its variable as field, array, element and map value. */
public class Box<T> {
    public T content;
    public T[] row;
    public List<T> many;
    public Map<String, T> index;
}
