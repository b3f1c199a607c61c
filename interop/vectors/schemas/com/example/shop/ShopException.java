package com.example.shop;

public class ShopException extends RuntimeException {
    private static final long serialVersionUID = 1;
    public final Discount discount;

    public ShopException(String message, Discount discount) {
        super(message);
        setStackTrace(new StackTraceElement[0]);
        this.discount = discount;
    }

    public static ShopException sample() {
        return new ShopException("no stock", Percent.sample());
    }
}
