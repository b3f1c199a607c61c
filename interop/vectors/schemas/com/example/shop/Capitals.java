package com.example.shop;

import java.io.Serializable;

/** Fields that differ in capitals only. */
public class Capitals implements Serializable {
    private static final long serialVersionUID = 1;
    public String url;
    public String URL;
    public String Url;

    public static Capitals sample() {
        Capitals made = new Capitals();
        made.url = "a";
        made.URL = "b";
        made.Url = "c";
        return made;
    }
}
