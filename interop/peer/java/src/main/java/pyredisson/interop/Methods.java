package pyredisson.interop;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the overload that a name and JSON arguments mean, and calls it.
 *
 * <p>Typed arguments keep their class; bare ones bend to the parameter (a number to int or long, a
 * string to an enum). Of several overloads that fit, the one that bends least is called.
 */
final class Methods {
    private static final Map<Class<?>, Class<?>> BOXES = new HashMap<>();

    static {
        BOXES.put(int.class, Integer.class);
        BOXES.put(long.class, Long.class);
        BOXES.put(double.class, Double.class);
        BOXES.put(float.class, Float.class);
        BOXES.put(short.class, Short.class);
        BOXES.put(byte.class, Byte.class);
        BOXES.put(char.class, Character.class);
        BOXES.put(boolean.class, Boolean.class);
    }

    private static final int NO = Integer.MAX_VALUE;

    private Methods() {}

    /** What a call gave, and the arguments it was given (a drainTo fills one of them). */
    static final class Outcome {
        final Object value;
        final Object[] args;

        Outcome(Object value, Object[] args) {
            this.value = value;
            this.args = args;
        }
    }

    /** A method with its arguments. */
    static final class Bound {
        private final Object target;
        private final Method method;
        private final Object[] args;

        Bound(Object target, Method method, Object[] args) {
            this.target = target;
            this.method = method;
            this.args = args;
        }

        Object call() throws Exception {
            return method.invoke(target, args);
        }
    }

    static Outcome invoke(Class<?> type, Object target, String name, List<JsonNode> args)
            throws Exception {
        Bound found = find(type, target, name, args);
        return new Outcome(found.call(), found.args);
    }

    static Bound find(Class<?> type, Object target, String name, List<JsonNode> args)
            throws Exception {
        Method best = null;
        int bestCost = NO;
        for (Method method : candidates(type, target, name)) {
            int cost = cost(method, args);
            if (cost < bestCost) {
                best = method;
                bestCost = cost;
            }
        }
        if (best == null) {
            throw new NoSuchMethodException(type.getSimpleName() + "." + name + "/" + args.size());
        }
        return new Bound(target, best, arguments(best, args));
    }

    private static List<Method> candidates(Class<?> type, Object target, String name) {
        Set<Class<?>> types = new LinkedHashSet<>();
        types.add(type);
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            types.addAll(Arrays.asList(c.getInterfaces()));
        }
        types.add(Object.class);
        List<Method> found = new ArrayList<>();
        for (Class<?> each : types) {
            for (Method method : each.getMethods()) {
                boolean callable = Modifier.isPublic(method.getDeclaringClass().getModifiers());
                boolean bound = target != null || Modifier.isStatic(method.getModifiers());
                if (method.getName().equals(name) && callable && bound) {
                    found.add(method);
                }
            }
        }
        return found;
    }

    private static int cost(Method method, List<JsonNode> args) throws Exception {
        Class<?>[] types = method.getParameterTypes();
        int fixed = method.isVarArgs() ? types.length - 1 : types.length;
        if (args.size() < fixed || (!method.isVarArgs() && args.size() != fixed)) {
            return NO;
        }
        int total = method.isVarArgs() ? 100 : 0;
        for (int i = 0; i < args.size(); i++) {
            Class<?> type = i < fixed ? types[i] : types[fixed].getComponentType();
            int one = cost(args.get(i), type);
            if (one == NO) {
                return NO;
            }
            total += one;
        }
        return total;
    }

    private static int cost(JsonNode arg, Class<?> wanted) throws Exception {
        Class<?> type = BOXES.getOrDefault(wanted, wanted);
        if (arg.isNull() || (arg.isObject() && arg.get("t").asText().equals("null"))) {
            return wanted.isPrimitive() ? NO : 1;
        }
        if (!arg.isObject()) {
            return bareCost(arg, type);
        }
        Object value = Values.fromJson(arg);
        if (type == value.getClass()) {
            return 0;
        }
        if (type.isInstance(value)) {
            return type == Object.class ? 4 : 2;
        }
        return type == Long.class && value instanceof Integer ? 1 : NO;
    }

    private static int bareCost(JsonNode arg, Class<?> type) {
        boolean number = Number.class.isAssignableFrom(type);
        if (arg.isTextual()) {
            return type == String.class ? 0 : type.isEnum() ? 1 : type == Object.class ? 4 : NO;
        }
        if (arg.isBoolean()) {
            return type == Boolean.class ? 0 : type == Object.class ? 4 : NO;
        }
        if (arg.isIntegralNumber()) {
            boolean fits = arg.canConvertToInt() || type != Integer.class;
            return number && fits ? (type == Long.class ? 1 : 0) : type == Object.class ? 4 : NO;
        }
        if (arg.isNumber()) {
            return type == Double.class ? 0 : type == Object.class ? 4 : NO;
        }
        return type.isAssignableFrom(ArrayList.class) ? 1 : NO;
    }

    private static Object[] arguments(Method method, List<JsonNode> args) throws Exception {
        Class<?>[] types = method.getParameterTypes();
        Object[] values = new Object[types.length];
        int fixed = method.isVarArgs() ? types.length - 1 : types.length;
        for (int i = 0; i < fixed; i++) {
            values[i] = convert(args.get(i), types[i]);
        }
        if (method.isVarArgs()) {
            Class<?> element = types[fixed].getComponentType();
            values[fixed] = Array.newInstance(element, args.size() - fixed);
            for (int i = fixed; i < args.size(); i++) {
                Array.set(values[fixed], i - fixed, convert(args.get(i), element));
            }
        }
        return values;
    }

    /** A JSON value, bent to the wanted class where it is bare. */
    static Object convert(JsonNode json, Class<?> wanted) throws Exception {
        Object value = Values.fromJson(json);
        Class<?> type = BOXES.getOrDefault(wanted, wanted);
        if (value == null || type.isInstance(value)) {
            return value;
        }
        if (value instanceof String && type.isEnum()) {
            return Values.enumOf(type, (String) value);
        }
        if (value instanceof String && type == Character.class) {
            return ((String) value).charAt(0);
        }
        if (value instanceof String && (type == Double.class || type == Float.class)) {
            value = Double.valueOf((String) value);
        }
        if (!(value instanceof Number)) {
            throw new IllegalArgumentException(value.getClass() + " is no " + type);
        }
        Number number = (Number) value;
        switch (type.getSimpleName()) {
            case "Integer": return number.intValue();
            case "Long": return number.longValue();
            case "Double": return number.doubleValue();
            case "Float": return number.floatValue();
            case "Short": return number.shortValue();
            case "Byte": return number.byteValue();
            default: throw new IllegalArgumentException(value.getClass() + " is no " + type);
        }
    }
}
