package com.example.shop;

public enum Status {
    NEW,
    PAID
}
