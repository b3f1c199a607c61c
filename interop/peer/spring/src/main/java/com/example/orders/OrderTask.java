package com.example.orders;

import java.io.Serializable;
import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** A task as in the tutorials: fields, getters, setters, equals. */
public class OrderTask implements Serializable {
    private Long id;
    private String title;
    private BigDecimal amount;
    private LocalDateTime createdAt;
    private OrderState state;
    private List<OrderItem> items;
    private Map<String, Object> attributes;
    private Set<String> tags;
    private OrderItem gift;
    private boolean urgent;

    public Long getId() {
        return id;
    }

    public void setId(Long id) {
        this.id = id;
    }

    public String getTitle() {
        return title;
    }

    public void setTitle(String title) {
        this.title = title;
    }

    public BigDecimal getAmount() {
        return amount;
    }

    public void setAmount(BigDecimal amount) {
        this.amount = amount;
    }

    public LocalDateTime getCreatedAt() {
        return createdAt;
    }

    public void setCreatedAt(LocalDateTime createdAt) {
        this.createdAt = createdAt;
    }

    public OrderState getState() {
        return state;
    }

    public void setState(OrderState state) {
        this.state = state;
    }

    public List<OrderItem> getItems() {
        return items;
    }

    public void setItems(List<OrderItem> items) {
        this.items = items;
    }

    public Map<String, Object> getAttributes() {
        return attributes;
    }

    public void setAttributes(Map<String, Object> attributes) {
        this.attributes = attributes;
    }

    public Set<String> getTags() {
        return tags;
    }

    public void setTags(Set<String> tags) {
        this.tags = tags;
    }

    public OrderItem getGift() {
        return gift;
    }

    public void setGift(OrderItem gift) {
        this.gift = gift;
    }

    public boolean isUrgent() {
        return urgent;
    }

    public void setUrgent(boolean urgent) {
        this.urgent = urgent;
    }

    private List<Object> parts() {
        return Arrays.asList(
                id, title, amount, createdAt, state, items, attributes, tags, gift, urgent);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof OrderTask && parts().equals(((OrderTask) other).parts());
    }

    @Override
    public int hashCode() {
        return Objects.hash(id, title);
    }

    @Override
    public String toString() {
        return parts().toString();
    }
}
