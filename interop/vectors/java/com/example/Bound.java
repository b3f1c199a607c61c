package com.example;

/** Binds the variables of Variables in its fields. */
public class Bound {
    public Variables<String, Integer> full;
    public Variables<OrderTask, Stamp> mixed;
    public Variables<?, String> half;
    public Object open;
}
