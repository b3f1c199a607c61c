package com.example;

import java.util.List;
import java.util.Map;

/** Variables inside declared types: resolved where an outer field binds them. */
public class Variables<C, D> {
    public Pair<C, String> shifted;
    public Pair<C, D> both;
    public Crate<D> crate;
    public List<C> list;
    public Map<C, D> map;
    public List<List<C>> nested;
    public C[] row;
    public C[][] rows;
}
