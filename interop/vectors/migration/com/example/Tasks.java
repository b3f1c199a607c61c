package com.example;

import java.io.Serializable;
import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The task of the tutorials: it extends a base class and has a field of each usual kind. */
public class Tasks {
    public static class Base implements Serializable {
        private static final long serialVersionUID = 12L;
        public String tenant;
        public int attempts;
        protected boolean urgent;
    }

    public static class Item implements Serializable {
        private static final long serialVersionUID = 13L;
        public String sku;
        public int quantity;
        public BigDecimal price;

        public Item(String sku, int quantity, BigDecimal price) {
            this.sku = sku;
            this.quantity = quantity;
            this.price = price;
        }
    }

    public static class Task extends Base {
        private static final long serialVersionUID = 11L;
        public Long id;
        public String action;
        public BigDecimal total;
        public LocalDateTime createdAt;
        public Date due;
        public UUID key;
        public Color color;
        public List<Item> items;
        public Map<String, Object> extra;
    }

    /** A task of which every field has a value. */
    public static Task sample() {
        Task task = new Task();
        task.tenant = "acme";
        task.attempts = 2;
        task.urgent = true;
        task.id = 1001L;
        task.action = "cancel";
        task.total = new BigDecimal("19.90");
        task.createdAt = LocalDateTime.of(2024, 1, 2, 3, 4, 5, 123456789);
        task.due = new Date(1700000000123L);
        task.key = new UUID(1L, 2L);
        task.color = Color.GREEN;
        task.items = new ArrayList<>(List.of(new Item("A", 1, new BigDecimal("9.95")), new Item("B", 2, null)));
        task.extra = new HashMap<>();
        task.extra.put("channel", "web");
        task.extra.put("retry", 1);
        task.extra.put("at", task.createdAt);
        task.extra.put("price", task.total);
        return task;
    }
}
