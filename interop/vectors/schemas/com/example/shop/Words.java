package com.example.shop;

import java.io.Serializable;

/** Fields that are words of Python. */
public class Words implements Serializable {
    private static final long serialVersionUID = 1;
    public int def;
    public int None;
    public String from;
    public String lambda;
    public int list;
    public int str;
    public int id;
    public int self;
    public int type;
    public int Annotated;
    public int __private;
    public int $dollar;
    public Words is;

    public static Words sample() {
        Words made = new Words();
        made.def = 1;
        made.None = 2;
        made.from = "f";
        made.list = 3;
        made.__private = 4;
        made.$dollar = 5;
        made.is = new Words();
        return made;
    }
}
