package com.example;

import com.fasterxml.jackson.annotation.JsonProperty;

/** An enum with annotations, a toString() of its own and fields. */
public enum Level {
    @JsonProperty("low")
    LOW(1),
    HIGH(2);

    public static final Level DEFAULT = LOW;
    private final int rank;

    Level(int rank) {
        this.rank = rank;
    }

    @Override
    public String toString() {
        return "level-" + rank;
    }
}
