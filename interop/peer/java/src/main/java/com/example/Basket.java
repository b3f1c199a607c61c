package com.example;

import java.io.Serializable;
import java.util.List;
import java.util.Map;

/** Objects inside an object, which the benchmark measures. */
public class Basket implements Serializable {
    private static final long serialVersionUID = 1L;

    public String customer;
    public List<String> tags;
    public Map<String, Integer> counts;
    public List<Order> orders;
}
