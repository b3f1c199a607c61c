package com.example;

import java.io.Serializable;
import java.util.List;
import java.util.Map;

/** The everyday value: fields of most kinds, some of them null. */
public class Order implements Serializable {
    private static final long serialVersionUID = 42L;
    public String orderId;
    public long createdAt;
    public int amount;
    public boolean paid;
    public double price;
    public Long parent;
    public Color color;
    public List<String> tags;
    public Map<String, Object> extra;
    public transient int cached = 7;

    public Order() {}

    public Order(String orderId, long createdAt, Color color, List<String> tags, Map<String, Object> extra) {
        this.orderId = orderId;
        this.createdAt = createdAt;
        this.amount = 3;
        this.paid = true;
        this.price = 1.5;
        this.parent = 9L;
        this.color = color;
        this.tags = tags;
        this.extra = extra;
    }
}
