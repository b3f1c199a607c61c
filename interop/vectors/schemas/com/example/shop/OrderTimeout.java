package com.example.shop;

import java.io.Serializable;
import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.LinkedHashMap;
import java.util.Map;

/** The task of a tutorial. */
public class OrderTimeout extends BaseTask implements Serializable {
    private static final long serialVersionUID = 1;
    private Long orderId;
    private String customer;
    private BigDecimal total;
    private LocalDateTime createdAt;
    private Status status;
    private List<Item> items = new ArrayList<>();
    private Map<String, Object> attributes = new LinkedHashMap<>();
    private Discount discount;

    public Long getOrderId() {
        return orderId;
    }

    public void setOrderId(Long orderId) {
        this.orderId = orderId;
    }

    public String getCustomer() {
        return customer;
    }

    public void setCustomer(String customer) {
        this.customer = customer;
    }

    public BigDecimal getTotal() {
        return total;
    }

    public void setTotal(BigDecimal total) {
        this.total = total;
    }

    public LocalDateTime getCreatedAt() {
        return createdAt;
    }

    public void setCreatedAt(LocalDateTime createdAt) {
        this.createdAt = createdAt;
    }

    public Status getStatus() {
        return status;
    }

    public void setStatus(Status status) {
        this.status = status;
    }

    public List<Item> getItems() {
        return items;
    }

    public void setItems(List<Item> items) {
        this.items = items;
    }

    public Map<String, Object> getAttributes() {
        return attributes;
    }

    public void setAttributes(Map<String, Object> attributes) {
        this.attributes = attributes;
    }

    public Discount getDiscount() {
        return discount;
    }

    public void setDiscount(Discount discount) {
        this.discount = discount;
    }

    public static OrderTimeout sample() {
        OrderTimeout made = new OrderTimeout();
        made.orderId = 1L << 40;
        made.customer = "Zoë";
        made.total = new BigDecimal("19.90");
        made.createdAt = LocalDateTime.of(2024, 2, 29, 12, 30, 15, 123_000_000);
        made.status = Status.PAID;
        made.items.add(Item.sample());
        made.attributes.put("retry", 1);
        made.attributes.put("coupon", "A-7");
        made.discount = Percent.sample();
        return made;
    }
}
