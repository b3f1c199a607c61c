package com.example.shop;

import java.io.Serializable;

/** Letters of all the world, and a currency's sign. */
public class Größe implements Serializable {
    private static final long serialVersionUID = 1;
    public int 名前;
    public String preis_in_€;
    public Maß maß = Maß.KLEIN;

    public enum Maß {
        KLEIN,
        GROSS
    }

    public static Größe sample() {
        Größe made = new Größe();
        made.名前 = 1;
        made.preis_in_€ = "2 €";
        made.maß = Maß.GROSS;
        return made;
    }
}
