package com.example;

/** Every primitive, a boxed one of each, and a superclass. */
public class Dog extends Animal {
    public boolean a = true;
    public byte b = -1;
    public char c = 'é';
    public double d = 0.1;
    public float f = 0.5f;
    public int i = -70000;
    public long j = 1L << 40;
    public short s = -300;
    public Boolean boxedA = false;
    public Byte boxedB = 1;
    public Character boxedC = 'x';
    public Double boxedD = 2.5;
    public Float boxedF = 1.5f;
    public Integer boxedI = 5;
    public Long boxedJ = 6L;
    public Short boxedS = 7;
    public int[] numbers = {1, 2};
    public String[] words = {"a", null};
    public Object any = "any";
    public Dog friend;

    public Dog(String name) {
        this.name = name;
        this.legs = 4;
    }
}
