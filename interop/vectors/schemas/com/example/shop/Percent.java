package com.example.shop;

import java.io.Serializable;
import java.math.BigDecimal;

public class Percent implements Discount, Serializable {
    private static final long serialVersionUID = 1;
    private int percent;

    public int getPercent() {
        return percent;
    }

    public void setPercent(int percent) {
        this.percent = percent;
    }

    @Override
    public BigDecimal of(BigDecimal price) {
        return price.multiply(BigDecimal.valueOf(100L - percent, 2));
    }

    public static Percent sample() {
        Percent made = new Percent();
        made.percent = 15;
        return made;
    }
}
