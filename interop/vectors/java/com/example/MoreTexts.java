package com.example;

/** Inherits what its superclass has bound. */
public class MoreTexts extends Texts {
}
