package com.example;

import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** A value with maps and a set, whose bytes depend on their order. */
public class Parcel implements Serializable {
    private static final long serialVersionUID = 1L;

    public String id;
    public Map<String, Integer> counts;
    public HashMap<Long, String> names;
    public Set<String> labels;
}
