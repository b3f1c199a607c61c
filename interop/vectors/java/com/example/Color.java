package com.example;

/** An enum without bodies: a final class. */
public enum Color { RED, GREEN, BLUE }
