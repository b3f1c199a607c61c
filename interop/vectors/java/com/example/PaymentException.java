package com.example;

/** An application's exception. */
public class PaymentException extends RuntimeException {
    private static final long serialVersionUID = 1;
    public final String orderId;

    public PaymentException(String message, String orderId) {
        super(message, null);
        this.orderId = orderId;
    }
}
