package com.example;

import java.io.Serializable;

/** A record with a serialVersionUID and another record in it. */
public record Mark(boolean set, Spot spot) implements Serializable {
    private static final long serialVersionUID = 7L;
}
