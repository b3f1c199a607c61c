package com.example.shop;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All places where an interface can stand. */
public class Places implements Serializable {
    private static final long serialVersionUID = 1;
    public Discount plain;
    public Discount none;
    public Shape sealed;
    public Discount[] row;
    public Shape[][] rows;
    public List<Discount> list = new ArrayList<>();
    public Map<String, Shape> map = new LinkedHashMap<>();
    public List<? extends Discount> wild;
    public List<? super Percent> above;

    public static Places sample() {
        Places made = new Places();
        made.plain = Season.WINTER;
        made.sealed = Circle.sample();
        made.row = new Discount[] {Fixed.sample(), null, Season.SUMMER};
        made.rows = new Shape[][] {{Square.sample()}, {}, null};
        made.list.add(Percent.sample());
        made.list.add(Fixed.sample());
        made.map.put("a", Square.sample());
        made.wild = new ArrayList<>(List.of(Percent.sample()));
        made.above = new ArrayList<>(List.of(Percent.sample()));
        return made;
    }
}
