package com.example.shop;

/** A subclass of what can stand for the abstract class. */
public class Signed extends Created {
    private static final long serialVersionUID = 1;
    public byte[] signature;

    public static Signed sample() {
        Signed made = new Signed();
        made.signature = new byte[] {1, 2};
        return made;
    }
}
