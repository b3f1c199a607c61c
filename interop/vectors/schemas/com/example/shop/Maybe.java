package com.example.shop;

import java.io.Serializable;
import java.util.Optional;

/** An Optional as a field, as IDEs warn of it. */
public class Maybe implements Serializable {
    private static final long serialVersionUID = 1;
    public Optional<Discount> discount = Optional.empty();
    public Optional<String> text = Optional.empty();

    public static Maybe sample() {
        Maybe made = new Maybe();
        made.discount = Optional.of(Percent.sample());
        return made;
    }
}
