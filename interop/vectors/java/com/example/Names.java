package com.example;

import java.util.ArrayList;
import java.util.HashMap;

/** An own collection and an own map: their fields are lost. */
public class Names extends ArrayList<String> {
    public int lost;

    public static class Index extends HashMap<String, Integer> {
        public int lost;
    }
}
