package com.example;

/** An enum without bodies. */
public enum Color { RED, GREEN, BLUE }
