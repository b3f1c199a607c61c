package com.example;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;

/** Private fields, getters, annotations and modifiers. */
public class Flags {
    public static final String CONSTANT = "constant";
    public static int counter;

    private boolean active;
    private Boolean done;

    @JsonProperty("renamed")
    private String original;

    @JsonIgnore
    private String secret;

    private transient String passing;
    private final int fixed = 7;

    public boolean isActive() {
        return active;
    }

    public Boolean isDone() {
        return done;
    }

    public boolean isReady() {
        return active;
    }

    public String getUpper() {
        return original == null ? null : original.toUpperCase(java.util.Locale.ROOT);
    }

    @JsonProperty("computed")
    public String compute() {
        return "computed";
    }

    @JsonIgnore
    public boolean isHidden() {
        return true;
    }

    public static Flags of(boolean active, Boolean done, String original, String secret) {
        Flags flags = new Flags();
        flags.active = active;
        flags.done = done;
        flags.original = original;
        flags.secret = secret;
        flags.passing = "lost";
        return flags;
    }
}
