package com.example.shop;

import java.io.Serializable;

public final class Square implements Shape, Serializable {
    private static final long serialVersionUID = 1;
    public int side;

    public static Square sample() {
        Square made = new Square();
        made.side = 3;
        return made;
    }
}
