package com.example;

/** Nested classes; the inner one has a synthetic field that no codec writes. */
public class Outer {
    public Nested nested;
    public Kind kind;

    public static class Nested {
        public String value;
        public Deeper deeper;

        public static final class Deeper {
            public int depth;
        }
    }

    public enum Kind { A, B }
}
