package com.example.shop;

import java.io.Serializable;

/** An abstract class that is a field's type. */
public abstract class Event implements Serializable {
    private static final long serialVersionUID = 1;
    public long at;
}
