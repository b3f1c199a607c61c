package com.example;

/** The everyday value: three fields. */
public class OrderTask {
    public String orderId;
    public String action;
    public long createdAt;

    public OrderTask() {}

    public OrderTask(String orderId, String action, long createdAt) {
        this.orderId = orderId;
        this.action = action;
        this.createdAt = createdAt;
    }
}
