package com.example.shop;

import java.io.Serializable;

public record Circle(double radius) implements Shape, Serializable {
    public static Circle sample() {
        return new Circle(1.5);
    }
}
