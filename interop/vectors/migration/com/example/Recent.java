package com.example;

import java.util.LinkedHashMap;

/** A cache: a map in the order of its last accesses. */
public class Recent extends LinkedHashMap<String, Integer> {
    private static final long serialVersionUID = 14L;

    public Recent() {
        super(16, 0.75f, true);
    }

    public static Recent of(String key, int value, String other, int next) {
        Recent recent = new Recent();
        recent.put(key, value);
        recent.put(other, next);
        return recent;
    }
}
