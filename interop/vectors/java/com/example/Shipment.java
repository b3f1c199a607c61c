package com.example;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.*;

/** What a format with a schema of its own can hold: no field of an open type. */
public class Shipment {
    public boolean flag;
    public byte tiny;
    public short small;
    public char letter;
    public int number;
    public long big;
    public float single;
    public double precise;
    public Boolean boxedFlag;
    public Byte boxedTiny;
    public Short boxedSmall;
    public Character boxedLetter;
    public Integer boxedNumber;
    public Long boxedBig;
    public Float boxedSingle;
    public Double boxedPrecise;
    public String text;
    public BigInteger integer;
    public BigDecimal decimal;
    public Date date;
    public UUID id;
    public Color color;
    public Phase phase;
    public byte[] bytes;
    public OrderTask task;
    public Stamp stamp;
    public Leaf leaf;
    public Shipment next;
    public transient String passing;
    public List<String> strings;
    public List<Integer> integers;
    public List<Long> longs;
    public List<Double> doubles;
    public List<Boolean> flags;
    public List<Short> smalls;
    public Collection<byte[]> chunks;
    public LinkedList<BigDecimal> decimals;
    public List<OrderTask> tasks;
    public List<Shipment> parts;
    public ArrayList<Color> colors;
    public Set<String> names;
    public HashSet<Integer> numbers;
    public LinkedHashSet<Long> ordered;
    public TreeSet<String> sorted;
    public Map<String, String> labels;
    public HashMap<Integer, Date> dates;
    public LinkedHashMap<Long, OrderTask> byId;
    public TreeMap<String, UUID> ids;
    public Map<Color, Integer> byColor;
    public Map<String, Color> shades;
}
