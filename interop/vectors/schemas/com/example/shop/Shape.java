package com.example.shop;

/** A sealed interface. */
public sealed interface Shape permits Circle, Square {}
