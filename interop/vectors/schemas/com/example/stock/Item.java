package com.example.stock;

import java.io.Serializable;

/** Another class of the same simple name. */
public class Item implements Serializable {
    private static final long serialVersionUID = 1;
    public long shelf;

    public static Item sample() {
        Item made = new Item();
        made.shelf = 1L << 40;
        return made;
    }
}
