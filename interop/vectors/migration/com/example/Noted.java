package com.example;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;

/** Writes more than its fields. */
public class Noted implements Serializable {
    private static final long serialVersionUID = 1L;
    public int size = 2;
    public transient String note = "hi";

    private void writeObject(ObjectOutputStream out) throws IOException {
        out.defaultWriteObject();
        out.writeInt(77);
        out.writeObject(note);
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
        in.defaultReadObject();
        in.readInt();
        note = (String) in.readObject();
    }
}
