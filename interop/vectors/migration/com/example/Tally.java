package com.example;

import java.util.*;

/** Type arguments, which no stream has: in fields, in a superclass, in objects within. */
public class Tally extends Kept<Long> {
    private static final long serialVersionUID = 8L;

    public Map<Long, String> names = new HashMap<>();
    public List<Long> counts = new ArrayList<>(List.of(1L, 1L, 1000L, 1000L));
    public Map<String, List<Short>> deep = new LinkedHashMap<>();
    public Kept<Byte> kept = new Kept<>();
    public LinkedHashSet<Float> ratios = new LinkedHashSet<>(List.of(0.5f));
    public List<LinkedList<Character>> letters = new ArrayList<>();
    public List<? super Integer> open = new ArrayList<>(List.of(3));
    public Object same = counts;

    /** What a program makes. */
    public static Tally full() {
        Tally tally = new Tally();
        tally.item = 5L;
        tally.items = new ArrayList<>(List.of(6L));
        for (long each : new long[] {-1, 2, -3, 70000, 1L << 33}) {
            tally.names.put(each, "n");
        }
        tally.deep.put("a", new ArrayList<>(List.of((short) 7)));
        tally.kept.item = (byte) 8;
        tally.kept.items = new ArrayList<>(List.of((byte) 9));
        tally.letters.add(new LinkedList<>(List.of('x')));
        return tally;
    }
}
