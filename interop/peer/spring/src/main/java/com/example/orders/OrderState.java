package com.example.orders;

public enum OrderState {
    NEW, PAID, CANCELLED
}
