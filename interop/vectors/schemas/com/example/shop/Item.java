package com.example.shop;

import java.io.Serializable;

public class Item implements Serializable {
    private static final long serialVersionUID = 1;
    private String sku;
    private Integer count;

    public String getSku() {
        return sku;
    }

    public void setSku(String sku) {
        this.sku = sku;
    }

    public Integer getCount() {
        return count;
    }

    public void setCount(Integer count) {
        this.count = count;
    }

    public static Item sample() {
        Item made = new Item();
        made.sku = "S-1";
        made.count = 2;
        return made;
    }
}
