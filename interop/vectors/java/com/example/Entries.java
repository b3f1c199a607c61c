package com.example;

import java.util.*;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Entries of maps whose types are declared. */
public class Entries {
    public List<Map.Entry<String, Integer>> counts;
    public Map.Entry<String, Object> open;
    public Map.Entry<Object, String> shifted;
    public AtomicReferenceArray<String> words;
}
