package com.example.shop;

import java.util.TreeMap;

public class Counts extends TreeMap<String, Integer> {
    private static final long serialVersionUID = 1;

    public static Counts sample() {
        Counts made = new Counts();
        made.put("a", 1);
        return made;
    }
}
