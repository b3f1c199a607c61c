package com.example;

import java.util.List;

/** Arrays of arrays. */
public class Grids {
    public Object[][] objects;
    public Object[][][] cubes;
    public Number[][] numbers;
    public OrderTask[][] tasks;
    public Stamp[][] stamps;
    public Color[][] colors;
    public Phase[][] phases;
    public Long[][] longs;
    public List<String>[][] lists;
    public Object any;
}
