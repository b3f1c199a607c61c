package com.example;

/** A record of primitives. */
public record Point(int x, int y) {}
