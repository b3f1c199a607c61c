package com.example;

/** A final class: fields of it have no class header. */
public final class Stamp {
    public String text;
    public int count;

    public Stamp() {}

    public Stamp(String text, int count) {
        this.text = text;
        this.count = count;
    }
}
