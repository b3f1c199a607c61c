package com.example.shop;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/** Recursive, also by its interface. */
public class Node implements Visitable, Serializable {
    private static final long serialVersionUID = 1;
    public String name;
    public Node next;
    public Visitable other;
    public List<Node> children = new ArrayList<>();

    public static Node sample() {
        Node made = new Node();
        made.name = "top";
        made.next = new Node();
        made.other = new Node();
        made.children.add(new Node());
        return made;
    }
}
