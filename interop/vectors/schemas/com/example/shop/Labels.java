package com.example.shop;

import java.util.ArrayList;

/** An own collection that implements an interface of the application. */
public class Labels extends ArrayList<String> implements Visitable {
    private static final long serialVersionUID = 1;

    public static Labels sample() {
        Labels made = new Labels();
        made.add("red");
        return made;
    }
}
