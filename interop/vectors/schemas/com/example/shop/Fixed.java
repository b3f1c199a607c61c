package com.example.shop;

import java.io.Serializable;
import java.math.BigDecimal;

public record Fixed(BigDecimal amount) implements Discount, Serializable {
    @Override
    public BigDecimal of(BigDecimal price) {
        return price.subtract(amount);
    }

    public static Fixed sample() {
        return new Fixed(new BigDecimal("2.50"));
    }
}
