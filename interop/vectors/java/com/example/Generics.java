package com.example;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Type arguments in every position. */
@SuppressWarnings("rawtypes")
public class Generics {
    public Box raw;
    public Box<String> strings;
    public Box<OrderTask> tasks;
    public Box<List<String>> lists;
    public Crate<Stamp> stamp;
    public Crate<Integer> number;
    public Pair<String, Integer> pair;
    public Pair<String, Pair<Integer, Stamp>> pairs;
    public Pair<List<String>, Map<String, Long>> containers;
    public Pair<?, String> half;
    public List<Crate<String>> crates;
    public Map<String, Crate<Long>> named;
    public List<List<String>> matrix;
    public List<List<List<Integer>>> cube;
    public Map<String, List<Integer>> groups;
    public Map<List<String>, Map<Color, Set<Long>>> deep;
    public List<String>[] array;
    public Crate<String>[] crateArray;
    public List<String[]> arrays;
    public List<Map<String, OrderTask>> maps;
    public Set<Phase> phases;
    public ArrayList<Object> objects;
    public Object any;
    public StringCrate stringCrate;
    public ListCrate listCrate;
    public SubCrate<String> subCrate;
    public NumberBox<Integer> numberBox;
    public Labeled<String> labeled;
}
