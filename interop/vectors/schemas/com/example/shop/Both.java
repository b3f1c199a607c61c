package com.example.shop;

import java.io.Serializable;

/** Two classes of one simple name. */
public class Both implements Serializable {
    private static final long serialVersionUID = 1;
    public Item here;
    public com.example.stock.Item there;

    public static Both sample() {
        Both made = new Both();
        made.here = Item.sample();
        made.there = com.example.stock.Item.sample();
        return made;
    }
}
