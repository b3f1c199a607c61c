package com.example.shop;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

public class ListStore<T> implements Store<T>, Serializable {
    private static final long serialVersionUID = 1;
    public List<T> items = new ArrayList<>();

    @Override
    public T first() {
        return items.get(0);
    }

    public static ListStore<String> sample() {
        ListStore<String> made = new ListStore<>();
        made.items.add("one");
        return made;
    }
}
