package com.example.shop;

import java.io.Serializable;

/** Abstract, and a superclass only. */
public abstract class BaseTask implements Serializable {
    private static final long serialVersionUID = 1;
    private String tenant = "acme";

    public String getTenant() {
        return tenant;
    }

    public void setTenant(String tenant) {
        this.tenant = tenant;
    }
}
