package com.example;

import java.io.Serializable;
import java.util.List;

/** A generic class. */
public class Kept<T> implements Serializable {
    private static final long serialVersionUID = 9L;
    public T item;
    public List<T> items;
}
