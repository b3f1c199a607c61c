package com.example;

import java.util.List;

/** A record whose components are not in the order of their names; generics end here. */
public record Person(
        String name, int age, List<String> tags, Color color, Phase phase, Integer score, Object any, Point home) {}
