package com.example;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Objects that occur twice, and equal objects that are two. */
@SuppressWarnings("removal")
public class Twice {
    public static Dog names() {
        Dog dog = new Dog(new String("a"));
        dog.words = new String[] {"a", new String("a")};
        return dog;
    }

    public static Map<String, Object> map() {
        Double number = 1.5;
        Map<String, Object> map = new HashMap<>();
        map.put("ab", number);
        map.put("cd", number);
        map.put("ef", 1.5);
        return map;
    }

    public static Integer[] array() {
        Integer number = new Integer(1000);
        return new Integer[] {number, number, 1000};
    }

    public static Dog numbers() {
        Dog dog = new Dog("rex");
        dog.boxedI = 1000;
        dog.boxedD = 1.5;
        dog.any = new ArrayList<>(Arrays.asList(dog.boxedI, dog.boxedD));
        return dog;
    }

    public static Dog small() {
        Dog dog = new Dog("rex");
        dog.boxedI = new Integer(1);
        dog.any = new ArrayList<>(Arrays.asList(1, dog.boxedI));
        return dog;
    }

    public static List<Object> decimals(long number) {
        BigInteger whole = BigInteger.valueOf(number);
        return new ArrayList<>(Arrays.asList(whole, new BigDecimal(whole, 2), new BigDecimal(whole)));
    }

    public static List<Object> uri() {
        String text = "http://a/b";
        return new ArrayList<>(Arrays.asList(text, URI.create(text), URI.create(new String(text))));
    }

    public static List<Object> view() {
        String[] words = {"ab"};
        List<String> view = Arrays.asList(words);
        return new ArrayList<>(Arrays.asList(view, words, Arrays.asList(words), Arrays.asList("ab")));
    }
}
