package com.example;

/** A variable with a bound. */
public class NumberBox<N extends Number & Comparable<N>> {
    public N number;
}
