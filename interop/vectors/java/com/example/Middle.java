package com.example;

/** The second level; `name` shadows that of Base. */
public class Middle extends Base {
    public String name;
    public int middle;
}
