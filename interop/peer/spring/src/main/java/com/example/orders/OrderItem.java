package com.example.orders;

import java.io.Serializable;
import java.math.BigDecimal;
import java.util.Objects;

public class OrderItem implements Serializable {
    private String sku;
    private int quantity;
    private BigDecimal price;

    public OrderItem() {
    }

    public OrderItem(String sku, int quantity, BigDecimal price) {
        this.sku = sku;
        this.quantity = quantity;
        this.price = price;
    }

    public String getSku() {
        return sku;
    }

    public void setSku(String sku) {
        this.sku = sku;
    }

    public int getQuantity() {
        return quantity;
    }

    public void setQuantity(int quantity) {
        this.quantity = quantity;
    }

    public BigDecimal getPrice() {
        return price;
    }

    public void setPrice(BigDecimal price) {
        this.price = price;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof OrderItem
                && quantity == ((OrderItem) other).quantity
                && Objects.equals(sku, ((OrderItem) other).sku)
                && Objects.equals(price, ((OrderItem) other).price);
    }

    @Override
    public int hashCode() {
        return Objects.hash(sku, quantity, price);
    }

    @Override
    public String toString() {
        return quantity + " x " + sku + " at " + price;
    }
}
