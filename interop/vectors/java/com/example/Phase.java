package com.example;

/** Constants with a body are classes of their own: Phase$1, Phase$2. */
public enum Phase {
    NEW,
    PAID {
        @Override
        public boolean open() {
            return false;
        }
    },
    SENT {
        @Override
        public boolean open() {
            return false;
        }
    },
    LOST;

    public boolean open() {
        return true;
    }
}
