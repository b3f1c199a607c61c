package com.example;

/** The third level; `name` and `id` shadow. */
public class Leaf extends Middle {
    public Integer id;
    public String name;
    public boolean active;
}
