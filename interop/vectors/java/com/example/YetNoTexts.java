package com.example;

/** Binds a variable that its superclass does not hand on. */
public class YetNoTexts extends NoTexts<Integer> {
}
