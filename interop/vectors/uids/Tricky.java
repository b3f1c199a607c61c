package com.example;
import java.io.Serializable;
import java.util.*;
/** All that counts for a computed serialVersionUID; tests/vectors/uids.json holds its class files and what JDK 17 says. */
public class Tricky<T extends Comparable<T>> extends AbstractList<T> implements Serializable, Comparable<Tricky<T>>, Cloneable {
    static final Map<String, Integer> TABLE = new HashMap<>();
    public static final int LIMIT = 5;
    private static String hidden = "x";
    private transient int cached;
    private int kept; protected volatile long[][] grid; String name; transient List<T> items;
    public Tricky() {}
    Tricky(int... numbers) {}
    private Tricky(String name) {}
    public synchronized strictfp void run(String first, int[] more) throws Exception {}
    protected static <X> X any(X x, Object... rest) { return x; }
    private void secret() {}
    public int compareTo(Tricky<T> other) { Runnable r = () -> System.out.println(name); r.run(); return 0; }
    public T get(int i) { return null; }
    public int size() { return 0; }
    protected class Inner implements Serializable { int x = kept; class Deep implements Serializable { int y; } }
    private static final class Hidden implements Serializable { final int z = 3; }
    protected static abstract class Base implements Serializable { abstract void go(); }
    enum Kind { A, B { void x() {} } }
    static class Usual extends Base { void go() { Object o = new Hidden(); assert o != null; } }
}
