package com.example.shop;

import java.io.Serializable;
import java.util.List;

/** What Lombok's @Value makes: final fields, a constructor of all of them, getters. */
public final class Value implements Serializable {
    private static final long serialVersionUID = 1;
    private final String name;
    private final boolean active;
    private final List<Item> items;

    public Value(String name, boolean active, List<Item> items) {
        this.name = name;
        this.active = active;
        this.items = items;
    }

    public String getName() {
        return name;
    }

    public boolean isActive() {
        return active;
    }

    public List<Item> getItems() {
        return items;
    }

    public static Value sample() {
        return new Value("v", true, List.of(Item.sample()));
    }
}
