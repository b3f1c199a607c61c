package com.example;

/** Binds the variable to a final class. */
public class Texts extends Row<String> {
}
