package com.example;

import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;

/** Writes itself. */
public class Sealed implements Externalizable {
    public Sealed() {}

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
        out.writeInt(5);
        out.writeObject("five");
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
        in.readInt();
        in.readObject();
    }
}
