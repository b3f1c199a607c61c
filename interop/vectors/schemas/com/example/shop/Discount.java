package com.example.shop;

import java.math.BigDecimal;

/** A plain interface: whatever implements it can be a field's value. */
public interface Discount {
    BigDecimal of(BigDecimal price);
}
