package com.example;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.AbstractList;

/** Classes with serialization methods of their own, each with fields of several kinds. */
public class Hooks {
    public static class ReadBack implements Serializable {
        private static final long serialVersionUID = 1L;
        public String name = "read";
        public int n = 3;
        public boolean on = true;

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
        }
    }

    public static class ReadBackSub extends ReadBack {
        private static final long serialVersionUID = 2L;
        public long more = 4;
        public String about = "sub";
    }

    public static class Resolved implements Serializable {
        private static final long serialVersionUID = 3L;
        public String name = "resolved";
        public transient int cached = 5;

        protected Object readResolve() {
            return this;
        }
    }

    public static class ResolvedSub extends Resolved {
        private static final long serialVersionUID = 4L;
        public int n = 5;
    }

    /** Adds nothing to its fields, and yet is written another way. */
    public static class Written implements Serializable {
        private static final long serialVersionUID = 5L;
        public String name = "written";

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
        }
    }

    /** No JDK class above it is Serializable; only its own elements tell which places hold them. */
    public static class Sparse extends AbstractList<String> implements Serializable {
        private static final long serialVersionUID = 7L;
        public int size = 3;
        private transient String[] elements = {"a", null, "b"};

        @Override
        public String get(int index) {
            return elements[index];
        }

        @Override
        public int size() {
            return size;
        }

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            for (String each : elements) {
                if (each != null) {
                    out.writeObject(each);
                }
            }
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            elements = new String[] {(String) in.readObject(), null, (String) in.readObject()};
        }
    }

    public static class WrittenSub extends Written {
        private static final long serialVersionUID = 6L;
        public int n = 6;
    }
}
