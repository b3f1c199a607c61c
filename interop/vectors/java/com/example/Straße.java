package com.example;

/** A name beyond ASCII. */
public class Straße {
    public String größe;
    public int a;
    public int Z;
}
