package com.example;

import java.io.Serializable;

/** A value of an application's own class, as queues carry them; some old codecs ask for Serializable. */
public class OrderTask implements Serializable {
    private static final long serialVersionUID = 1L;

    public String orderId;
    public String action;
    public long createdAt;
}
