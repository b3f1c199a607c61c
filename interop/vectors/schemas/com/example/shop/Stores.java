package com.example.shop;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

public class Stores implements Serializable {
    private static final long serialVersionUID = 1;
    public Store<String> texts;
    public List<Store<? extends Number>> numbers = new ArrayList<>();

    public static Stores sample() {
        Stores made = new Stores();
        made.texts = ListStore.sample();
        ListStore<Integer> more = new ListStore<>();
        more.items.add(7);
        made.numbers.add(more);
        return made;
    }
}
