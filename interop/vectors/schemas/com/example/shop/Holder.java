package com.example.shop;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/** A bound is all that names the abstract class. */
public class Holder<T extends Event> implements Serializable {
    private static final long serialVersionUID = 1;
    public T event;
    public List<T> more = new ArrayList<>();

    public static Holder<Event> sample() {
        Holder<Event> made = new Holder<>();
        made.event = Created.sample();
        made.more.add(Signed.sample());
        return made;
    }
}
