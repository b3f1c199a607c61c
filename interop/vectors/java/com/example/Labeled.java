package com.example;

/** A generic record. */
public record Labeled<T>(String label, T value, T[] more) {}
