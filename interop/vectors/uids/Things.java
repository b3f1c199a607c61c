package com.example;
import java.io.Serializable;
import java.util.*;
/** Classes for Java's streams: an inner one, circles, and those that extend collections. */
public class Things {
    public static class Outer implements Serializable { private static final long serialVersionUID = 1L; public String name = "o";
        public class Inner implements Serializable { private static final long serialVersionUID = 2L; public int size = 5; }
        public Inner inner() { return new Inner(); } }
    public static class Node implements Serializable { private static final long serialVersionUID = 1L; public String name; public Node parent; public List<Node> children = new ArrayList<>(); public Object any;
        public Node(String name) { this.name = name; } }
    public static class Tags extends ArrayList<String> { private static final long serialVersionUID = 1L; public String owner = "me"; }
    public static class Table extends LinkedHashMap<String, Integer> { private static final long serialVersionUID = 3L; public int limit = 9; }
    public static class Names extends HashSet<String> { private static final long serialVersionUID = 4L; public String label; }
    public static class Sorted extends TreeMap<String, Object> { private static final long serialVersionUID = 5L; }
    public static class Config extends Properties { private static final long serialVersionUID = 6L; }
    public static class Row extends Vector<Object> { private static final long serialVersionUID = 7L; }
    public static class Oops extends RuntimeException { private static final long serialVersionUID = 8L; public int code = 3; public Oops(String m) { super(m); } }
    public static Node family() { Node root = new Node("root"); for (String n : new String[]{"a", "b"}) { Node c = new Node(n); c.parent = root; root.children.add(c); } return root; }
    public static Node knot() { Node n = new Node("knot"); List<Object> l = new ArrayList<>(); l.add(l); l.add(n); n.any = l; return n; }
    public static Oops oops() { Oops o = new Oops("no"); o.setStackTrace(new StackTraceElement[0]); return o; }
    public static <C extends Collection<Object>> C add(C c, Object... v) { c.addAll(Arrays.asList(v)); return c; }
    @SuppressWarnings("unchecked") public static <C> C fill(C c, Object... v) { if (c instanceof Map) for (int i = 0; i < v.length; i += 2) ((Map) c).put(v[i], v[i+1]); else ((Collection) c).addAll(Arrays.asList(v)); return c; }
}
