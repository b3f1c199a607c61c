package com.example;

import java.io.Serializable;
import java.math.BigDecimal;
import java.util.*;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Classes that extend others, objects within objects, and fields declared as just their class. */
public class Held implements Serializable {
    private static final long serialVersionUID = 6L;

    /** A list with fields of its own; one is there twice. */
    public static class Tags extends ArrayList<String> {
        private static final long serialVersionUID = 1L;
        public String owner = "me";
        public int n = 5;
        public boolean on = true;
    }

    /** A map with a field of its own. */
    public static class Props extends LinkedHashMap<String, Object> {
        private static final long serialVersionUID = 2L;
        public String owner = "you";
    }

    /** An exception with fields of its own. */
    public static class Failed extends RuntimeException {
        private static final long serialVersionUID = 3L;
        public int code = 7;
        public boolean fatal = true;
        public Short level = 5;

        public Failed(String message) {
            super(message);
            setStackTrace(new StackTraceElement[0]);
        }
    }

    /** An object that knows its outer one. */
    public class Inner implements Serializable {
        private static final long serialVersionUID = 4L;
        public int v = 1;

        public Held outer() {
            return Held.this;
        }
    }

    public boolean a = true, b, c = true, d, e = true, f, g = true, h, i = true;
    public ArrayList<String> list = new ArrayList<>(List.of("item"));
    public HashMap<String, Object> map = new HashMap<>(Map.of("key", 1));
    public LinkedHashMap<String, Object> linked = new LinkedHashMap<>(Map.of("link", 1));
    public HashSet<String> set = new HashSet<>(List.of("member"));
    public Stack<String> stack;
    public Date date = new Date(5L);
    public BigDecimal decimal = new BigDecimal("1.5");
    public StringBuilder builder = new StringBuilder("text");
    public UUID uuid = new UUID(1L, 2L);
    public AtomicInteger atomic = new AtomicInteger(5);
    public Class<?> type = String.class;
    public TimeUnit unit = TimeUnit.DAYS;
    public Object[] array = {1, "cell", null};
    public Object[][] cells = {{1}, null, {}};
    public List<?>[] lists = {new ArrayList<>(List.of("one"))};
    public Held next;
    public Object any;

    public static Held circle() {
        Held held = new Held();
        held.next = new Held();
        held.next.next = held;
        held.any = held.new Inner();
        held.array = new Object[] {held, null};
        held.array[1] = held.array;
        return held;
    }

    public static <T> T with(T all, Object... values) {
        if (all instanceof Map) {
            ((Map) all).put(values[0], values[1]);
        } else {
            ((Collection) all).addAll(Arrays.asList(values));
        }
        return all;
    }
}
