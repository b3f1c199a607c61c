package com.example.shop;

import java.io.Serializable;

/** An inner class that is not static: it has a hidden field, its Counter. */
public class Counter implements Serializable {
    private static final long serialVersionUID = 1;
    public int value;
    public Step step;

    public class Step implements Serializable {
        public int by;
    }

    public static Counter sample() {
        Counter made = new Counter();
        made.value = 3;
        made.step = made.new Step();
        made.step.by = 2;
        return made;
    }
}
