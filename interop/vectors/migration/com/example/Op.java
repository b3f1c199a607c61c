package com.example;

/** The first constant has a body, so its class is not that of the enum. */
public enum Op {
    PLUS {
        @Override
        public int of(int a, int b) {
            return a + b;
        }
    },
    MINUS {
        @Override
        public int of(int a, int b) {
            return a - b;
        }
    },
    LEFT;

    public int of(int a, int b) {
        return a;
    }
}
