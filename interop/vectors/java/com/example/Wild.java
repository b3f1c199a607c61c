package com.example;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Wildcards. */
public class Wild {
    public List<?> any;
    public List<? extends OrderTask> tasks;
    public List<? extends Stamp> stamps;
    public List<? super Stamp> above;
    public Map<String, ? extends Number> numbers;
    public Map<? extends Color, ?> colors;
    public Collection<? extends List<? extends String>> nested;
    public Set<? super Integer> integers;
}
