package com.example.shop;

/** An interface without methods. */
public interface Visitable {}
