package com.example;

import java.io.Serializable;

/** A superclass; no serialVersionUID, so Java computes one. */
public class Animal implements Serializable {
    public String name;
    public int legs;
}
