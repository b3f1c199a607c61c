package com.example;

/** The root of three levels, abstract. */
public abstract class Base {
    public long id;
    public String name;
}
