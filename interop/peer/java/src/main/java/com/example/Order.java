package com.example;

import java.io.Serializable;

/** An object of five simple fields, which the benchmark measures. */
public class Order implements Serializable {
    private static final long serialVersionUID = 1L;

    public String orderId;
    public String action;
    public long createdAt;
    public int attempts;
    public double amount;
}
