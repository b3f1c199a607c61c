package com.example.shop;

public class Created extends Event {
    private static final long serialVersionUID = 1;
    public String by;

    public static Created sample() {
        Created made = new Created();
        made.at = 5;
        made.by = "Ada";
        return made;
    }
}
