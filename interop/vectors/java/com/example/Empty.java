package com.example;

/** No fields at all. */
public class Empty {}
