package com.example;

/** A constant with a body is a class of its own. */
public enum Phase {
    NEW,
    PAID {
        @Override
        public String toString() {
            return "paid!";
        }
    }
}
