package pyredisson.interop;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.BaseStream;

/**
 * Java values as JSON that keeps their types: {@code {"t": type, "v": value}}, both ways.
 *
 * <p>A value without a wrapper (a bare string, number, boolean, null or list) takes the type that
 * the method's parameter asks for; see {@link Methods}.
 */
final class Values {
    private static final Map<String, Class<?>> CLASSES = new HashMap<>();
    private static final Map<Class<?>, String> NAMES = new HashMap<>();

    static {
        name("string", String.class);
        name("int", Integer.class);
        name("long", Long.class);
        name("double", Double.class);
        name("float", Float.class);
        name("short", Short.class);
        name("byte", Byte.class);
        name("char", Character.class);
        name("bool", Boolean.class);
        name("bytes", byte[].class);
        name("bigint", BigInteger.class);
        name("bigdecimal", BigDecimal.class);
        name("uuid", UUID.class);
        name("date", Date.class);
        name("instant", Instant.class);
        name("duration", Duration.class);
        name("list", ArrayList.class);
        name("linkedlist", LinkedList.class);
        name("arraydeque", ArrayDeque.class);
        name("set", HashSet.class);
        name("linkedset", LinkedHashSet.class);
        name("treeset", TreeSet.class);
        name("map", HashMap.class);
        name("linkedmap", LinkedHashMap.class);
        name("treemap", TreeMap.class);
        name("object", Object.class);
    }

    private Values() {}

    private static void name(String name, Class<?> type) {
        CLASSES.put(name, type);
        NAMES.put(type, name);
    }

    /** The class that a type name or a Java class name stands for ("int[]" is a primitive array). */
    static Class<?> classOf(String type) throws ClassNotFoundException {
        Class<?> known = CLASSES.get(type);
        if (known != null) {
            return known;
        }
        switch (type) {
            case "p:int": return int.class;
            case "p:long": return long.class;
            case "p:double": return double.class;
            case "p:float": return float.class;
            case "p:short": return short.class;
            case "p:byte": return byte.class;
            case "p:char": return char.class;
            case "p:bool": return boolean.class;
            default:
                if (type.startsWith("array:")) {
                    Class<?> element = classOf(type.substring("array:".length()));
                    return Array.newInstance(element, 0).getClass();
                }
                return Class.forName(type);
        }
    }

    /** A typed JSON value as the Java object. */
    static Object fromJson(JsonNode json) throws Exception {
        if (json == null || json.isNull()) {
            return null;
        }
        if (!json.isObject()) {
            return bare(json);
        }
        String type = json.get("t").asText();
        JsonNode v = json.get("v");
        if (type.startsWith("array:")) {
            return array(classOf(type.substring("array:".length())), v);
        }
        switch (type) {
            case "null": return null;
            case "string": return v.asText();
            case "int": return v.intValue();
            case "long": return v.longValue();
            case "double": return v.isTextual() ? Double.valueOf(v.asText()) : v.doubleValue();
            case "float": return v.isTextual() ? Float.valueOf(v.asText()) : (float) v.doubleValue();
            case "short": return v.shortValue();
            case "byte": return (byte) v.intValue();
            case "char": return v.asText().charAt(0);
            case "bool": return v.booleanValue();
            case "bytes": return Base64.getDecoder().decode(v.asText());
            case "bigint": return new BigInteger(v.asText());
            case "bigdecimal": return new BigDecimal(v.asText());
            case "uuid": return UUID.fromString(v.asText());
            case "date": return new Date(v.longValue());
            case "instant": return Instant.parse(v.asText());
            case "duration": return Duration.parse(v.asText());
            case "parsed": return Class.forName(json.get("class").asText())
                    .getMethod("parse", CharSequence.class).invoke(null, v.asText());
            case "unit": return TimeUnit.valueOf(v.asText());
            case "enum": return enumOf(Class.forName(v.get(0).asText()), v.get(1).asText());
            case "class": return classOf(v.asText());
            case "aslist": return Arrays.asList(elements(v).toArray());
            case "listof": return List.of(elements(v).toArray());
            case "collection": return collection(Class.forName(json.get("class").asText()), v);
            case "pojo": return pojo(json.get("class").asText(), v);
            case "build": return Build.fromJson(v);
            case "sink": return new ArrayList<>();
            case "predicate": return Build.equalTo(fromJson(v));
            case "list": case "linkedlist": case "arraydeque":
            case "set": case "linkedset": case "treeset":
                return collection(classOf(type), v);
            case "map": case "linkedmap": case "treemap":
                return map(classOf(type), v);
            default:
                if (json.has("map")) {
                    return map(Class.forName(type), v);
                }
                throw new IllegalArgumentException("unknown type " + type);
        }
    }

    private static Object bare(JsonNode json) throws Exception {
        if (json.isTextual()) {
            return json.asText();
        }
        if (json.isBoolean()) {
            return json.booleanValue();
        }
        if (json.isInt()) {
            return json.intValue();
        }
        if (json.isIntegralNumber()) {
            return json.longValue();
        }
        return json.isNumber() ? (Object) json.doubleValue() : elements(json);
    }

    static List<Object> elements(JsonNode json) throws Exception {
        List<Object> list = new ArrayList<>();
        for (JsonNode element : json) {
            list.add(fromJson(element));
        }
        return list;
    }

    @SuppressWarnings("unchecked")
    private static Object collection(Class<?> type, JsonNode v) throws Exception {
        Collection<Object> made = (Collection<Object>) type.getConstructor().newInstance();
        made.addAll(elements(v));
        return made;
    }

    @SuppressWarnings("unchecked")
    private static Object map(Class<?> type, JsonNode v) throws Exception {
        Map<Object, Object> made = (Map<Object, Object>) type.getConstructor().newInstance();
        for (JsonNode entry : v) {
            made.put(fromJson(entry.get(0)), fromJson(entry.get(1)));
        }
        return made;
    }

    private static Object array(Class<?> element, JsonNode v) throws Exception {
        Object made = Array.newInstance(element, v.size());
        for (int i = 0; i < v.size(); i++) {
            Array.set(made, i, Methods.convert(v.get(i), element));
        }
        return made;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    static Object enumOf(Class<?> type, String constant) {
        return Enum.valueOf((Class<Enum>) type, constant);
    }

    private static Object pojo(String type, JsonNode fields) throws Exception {
        Object made = Class.forName(type).getConstructor().newInstance();
        Iterator<Map.Entry<String, JsonNode>> each = fields.fields();
        while (each.hasNext()) {
            Map.Entry<String, JsonNode> entry = each.next();
            Field field = made.getClass().getField(entry.getKey());
            field.set(made, Methods.convert(entry.getValue(), field.getType()));
        }
        return made;
    }

    /** A Java object as typed JSON; a class without a name of its own comes with "class". */
    static ObjectNode toJson(Object o) throws Exception {
        ObjectNode json = Peer.JSON.createObjectNode();
        if (o == null) {
            return json.put("t", "null").putNull("v");
        }
        String name = NAMES.get(o.getClass());
        if (name != null) {
            json.put("t", name);
        }
        if (o instanceof byte[]) {
            return json.put("v", Base64.getEncoder().encodeToString((byte[]) o));
        }
        if (o instanceof Boolean) {
            return json.put("v", (Boolean) o);
        }
        if (o instanceof Integer || o instanceof Long || o instanceof Short || o instanceof Byte) {
            return json.put("v", ((Number) o).longValue());
        }
        if (o instanceof Double || o instanceof Float) {
            double d = Double.parseDouble(o.toString());
            return Double.isFinite(d) ? json.put("v", d) : json.put("v", o.toString());
        }
        if (o instanceof Date) {
            return json.put("t", name == null ? "date" : name).put("v", ((Date) o).getTime());
        }
        if (o instanceof Collection || o instanceof Map || o.getClass().isArray()
                || o instanceof Iterator || o instanceof BaseStream) {
            return container(json, o, name);
        }
        if (name == null) {
            return other(json, o);
        }
        return json.put("v", o.toString());
    }

    private static ObjectNode container(ObjectNode json, Object o, String name) throws Exception {
        if (o instanceof Map) {
            return pairs(described(json, o, name, "map"), (Map<?, ?>) o);
        }
        Iterator<?> each;
        if (o.getClass().isArray()) {
            json.put("t", "array:" + elementName(o.getClass().getComponentType()));
            each = boxed(o).iterator();
        } else if (o instanceof Collection) {
            described(json, o, name, "collection");
            each = ((Collection<?>) o).iterator();
        } else if (o instanceof Iterator) {
            json.put("t", "iterator");
            each = (Iterator<?>) o;
        } else {
            json.put("t", "stream");
            each = ((BaseStream<?, ?>) o).iterator();
        }
        ArrayNode v = json.putArray("v");
        while (each.hasNext()) {
            v.add(toJson(each.next()));
        }
        return json;
    }

    private static ObjectNode described(ObjectNode json, Object o, String name, String kind) {
        if (name == null) {
            json.put("t", kind).put("class", o.getClass().getName());
        }
        return json;
    }

    private static ObjectNode pairs(ObjectNode json, Map<?, ?> map) throws Exception {
        ArrayNode v = json.putArray("v");
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            v.addArray().add(toJson(entry.getKey())).add(toJson(entry.getValue()));
        }
        return json;
    }

    private static List<Object> boxed(Object array) {
        List<Object> list = new ArrayList<>();
        for (int i = 0; i < Array.getLength(array); i++) {
            list.add(Array.get(array, i));
        }
        return list;
    }

    private static String elementName(Class<?> type) {
        if (type.isPrimitive()) {
            return "p:" + (type == boolean.class ? "bool" : type.getName());
        }
        if (type.isArray() && type != byte[].class) {
            return "array:" + elementName(type.getComponentType());
        }
        return NAMES.getOrDefault(type, type.getName());
    }

    private static ObjectNode other(ObjectNode json, Object o) throws Exception {
        if (o instanceof Enum) {
            ArrayNode v = json.put("t", "enum").putArray("v");
            v.add(((Enum<?>) o).getDeclaringClass().getName()).add(((Enum<?>) o).name());
            return json;
        }
        if (o instanceof Class) {
            return json.put("t", "class").put("v", ((Class<?>) o).getName());
        }
        if (o.getClass().getName().startsWith("com.example.")) {
            json.put("t", "pojo").put("class", o.getClass().getName());
            ObjectNode fields = json.putObject("v");
            for (Field field : o.getClass().getFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    fields.set(field.getName(), toJson(field.get(o)));
                }
            }
            return json;
        }
        if (o instanceof Map.Entry) {
            json.put("t", "entry").put("class", o.getClass().getName());
            ArrayNode v = json.putArray("v");
            v.add(toJson(((Map.Entry<?, ?>) o).getKey()));
            v.add(toJson(((Map.Entry<?, ?>) o).getValue()));
            return json;
        }
        json.put("t", "other").put("class", o.getClass().getName());
        if (o.getClass().getSimpleName().equals("Entry")) {
            // org.redisson.api.Entry, which is no Map.Entry and is not in every release.
            ArrayNode v = json.put("t", "entry").putArray("v");
            v.add(toJson(o.getClass().getMethod("getKey").invoke(o)));
            v.add(toJson(o.getClass().getMethod("getValue").invoke(o)));
            return json;
        }
        return json.put("v", o.toString());
    }
}
