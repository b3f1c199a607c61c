package com.example.orders;

import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/** Task number n, field by field the one of interop/tests/support/spring_tasks.py. */
final class Tasks {
    private static final LocalDateTime START = LocalDateTime.of(2026, 2, 28, 23, 59, 58);

    private Tasks() {
    }

    static OrderTask task(int n) {
        OrderTask task = new OrderTask();
        task.setId(n % 7 == 3 ? null : n * 1_234_567_891L);
        task.setTitle(n % 11 == 5 ? null : "größe \u20ac " + "x".repeat(n % 40));
        task.setAmount(BigDecimal.valueOf(n * 1_000_003L - 50_000_000L, n % 6));
        task.setCreatedAt(START.plusNanos(n * 1_123_456_789L));
        task.setState(OrderState.values()[n % 3]);
        task.setItems(items(n % 5));
        task.setAttributes(attributes(n));
        task.setTags(new HashSet<>(names("tag-", n % 9)));
        task.setGift(n % 4 == 0 ? item(n) : null);
        task.setUrgent(n % 2 == 1);
        return task;
    }

    private static OrderItem item(int n) {
        return new OrderItem("sku-" + n, n + 1, BigDecimal.valueOf(199 + n, 2));
    }

    private static List<OrderItem> items(int count) {
        List<OrderItem> items = new ArrayList<>();
        for (int each = 0; each < count; each++) {
            items.add(item(each));
        }
        return items;
    }

    private static List<String> names(String prefix, int count) {
        List<String> names = new ArrayList<>();
        for (int each = 0; each < count; each++) {
            names.add(prefix + each);
        }
        return names;
    }

    private static Map<String, Object> attributes(int n) {
        Map<String, Object> attributes = new HashMap<>();
        attributes.put("channel", n % 2 == 0 ? "web" : "app");
        attributes.put("retry", n);
        if (n % 3 != 0) {
            attributes.put("coupon", "C" + n);
        }
        attributes.put("total", 3_000_000_000L + n);
        attributes.put("weight", n / 8.0);
        attributes.put("vip", n % 5 == 0);
        attributes.put("price", BigDecimal.valueOf(n, 2));
        attributes.put("path", names("step-", n % 4));
        Map<String, Object> nested = new HashMap<>();
        for (String name : names("key-", n % 30)) {
            nested.put(name, name.length());
        }
        attributes.put("nested", nested);
        attributes.put("seen", START.plusSeconds(n));
        return attributes;
    }
}
