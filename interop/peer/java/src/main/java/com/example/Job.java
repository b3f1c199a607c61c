package com.example;

import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A task as services have it: inheritance, an enum, numbers, dates, items, a map of anything. */
public class Job extends Work {
    private static final long serialVersionUID = 4L;

    /** A constant with a body is a class of its own. */
    public enum Kind {
        EMAIL,
        INVOICE {
            @Override
            public String toString() {
                return "an invoice";
            }
        },
        REPORT
    }

    /** An item. */
    public static class Line implements Serializable {
        private static final long serialVersionUID = 5L;

        public String sku;
        public int count;
        public BigDecimal price;
    }

    public String name;
    public BigDecimal total;
    public BigInteger number;
    public Date due;
    public LocalDate day;
    public Instant seen;
    public Duration limit;
    public Kind kind;
    public Integer attempts;
    public double weight;
    public float share;
    public short code;
    public Byte level;
    public char mark;
    public byte[] data;
    public int[] counts;
    public String[] words;
    public Line[] firsts;
    public List<Line> lines;
    public List<Kind> kinds;
    public Map<String, Object> extra;
    public Set<String> tags;
    public Job before;
    public Object any;
}
