package com.example;

/** A value of an application's own class, as queues carry them: no schema outside Java names it. */
public class OrderTask {
    public String orderId;
    public String action;
    public long createdAt;
}
