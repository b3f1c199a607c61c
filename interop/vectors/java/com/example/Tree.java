package com.example;

import java.util.List;
import java.util.Map;

/** Refers to itself. */
public class Tree {
    public String name;
    public Tree twin;
    public List<Tree> children;
    public Map<String, Tree> index;
}
