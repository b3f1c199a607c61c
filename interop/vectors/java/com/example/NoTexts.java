package com.example;

/** Binds the variable to an array. */
public class NoTexts<U> extends Row<String[]> {
}
