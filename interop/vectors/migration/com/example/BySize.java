package com.example;

import java.io.Serializable;
import java.util.Comparator;

/** A comparator of the application. */
public class BySize implements Comparator<String>, Serializable {
    private static final long serialVersionUID = 9L;

    @Override
    public int compare(String one, String other) {
        return Integer.compare(one.length(), other.length());
    }
}
