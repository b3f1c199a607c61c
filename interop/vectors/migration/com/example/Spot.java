package com.example;

import java.io.Serializable;
import java.util.List;

/** A record; Java gives it the serialVersionUID 0. */
public record Spot(String name, int x, long at, List<String> tags, Color color) implements Serializable {}
