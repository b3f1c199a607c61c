package com.example;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;

/** Fields of an enum whose first constant has a body. */
public class Ops implements Serializable {
    private static final long serialVersionUID = 10L;

    public Op op = Op.PLUS;
    public Op[] row = {Op.PLUS, null, Op.LEFT};
    public List<Op> list = new ArrayList<>(List.of(Op.PLUS, Op.LEFT));
    public EnumSet<Op> set = EnumSet.of(Op.PLUS, Op.LEFT);
    public EnumMap<Op, String> map = new EnumMap<>(Map.of(Op.PLUS, "p"));
    public Map<Op, Integer> counts = new EnumMap<>(Map.of(Op.MINUS, 1));
    public Object any = EnumSet.noneOf(Op.class);
}
