import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.*;
import java.util.*;

/** Random objects of any class, type arguments respected. */
public class Maker extends SimpleMaker {
    private final Map<String, List<Object>> made; // what may stand in several places, by type
    private final boolean serialized; // with values that Java serialization writes
    int budget = 60;

    Maker(Random random, boolean shared, boolean serialized) {
        super(random);
        this.serialized = serialized;
        this.made = shared ? new HashMap<>() : null;
    }

    Object root(Class<?> type) throws Exception {
        return object(type, Map.of(), 0);
    }

    Object object(Class<?> type, Map<TypeVariable<?>, Type> bound, int depth) throws Exception {
        if (type.isRecord()) {
            RecordComponent[] parts = type.getRecordComponents();
            Object[] values = new Object[parts.length];
            Class<?>[] types = new Class<?>[parts.length];
            for (int i = 0; i < parts.length; i++) {
                values[i] = value(parts[i].getGenericType(), bound, depth + 1);
                types[i] = parts[i].getType();
            }
            Constructor<?> constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        }
        Constructor<?> constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        Object made = constructor.newInstance();
        Map<TypeVariable<?>, Type> all = new HashMap<>(bound);
        for (Class<?> each = type; each != Object.class; each = each.getSuperclass()) {
            if (each.getGenericSuperclass() instanceof ParameterizedType above) {
                bind(above, all, all);
            }
            for (Field field : each.getDeclaredFields()) {
                int flags = field.getModifiers();
                if (Modifier.isStatic(flags) || Modifier.isFinal(flags) || field.isSynthetic()) {
                    continue;
                }
                field.setAccessible(true);
                field.set(made, value(field.getGenericType(), all, depth + 1));
            }
        }
        return made;
    }

    private static void bind(ParameterizedType type, Map<TypeVariable<?>, Type> from, Map<TypeVariable<?>, Type> to) {
        TypeVariable<?>[] names = ((Class<?>) type.getRawType()).getTypeParameters();
        Map<TypeVariable<?>, Type> found = new HashMap<>();
        for (int i = 0; i < names.length; i++) {
            found.put(names[i], substitute(type.getActualTypeArguments()[i], from));
        }
        to.putAll(found);
    }

    private record Applied(Class<?> raw, Type[] arguments) implements ParameterizedType {
        public Type[] getActualTypeArguments() {
            return arguments;
        }

        public Type getRawType() {
            return raw;
        }

        public Type getOwnerType() {
            return null;
        }

        public String toString() {
            return raw.getName() + Arrays.toString(arguments);
        }
    }

    private record Row(Type component) implements GenericArrayType {
        public Type getGenericComponentType() {
            return component;
        }
    }

    static Type substitute(Type type, Map<TypeVariable<?>, Type> bound) {
        if (type instanceof TypeVariable<?> name) {
            return bound.getOrDefault(name, name.getBounds()[0] instanceof Class<?> c ? c : Object.class);
        }
        if (type instanceof WildcardType wild) {
            return substitute(wild.getLowerBounds().length > 0 ? wild.getLowerBounds()[0] : wild.getUpperBounds()[0], bound);
        }
        if (type instanceof ParameterizedType applied) {
            Type[] arguments = applied.getActualTypeArguments().clone();
            for (int i = 0; i < arguments.length; i++) {
                arguments[i] = substitute(arguments[i], bound);
            }
            return new Applied((Class<?>) applied.getRawType(), arguments);
        }
        if (type instanceof GenericArrayType row) {
            return new Row(substitute(row.getGenericComponentType(), bound));
        }
        return type;
    }

    static Class<?> raw(Type type, Map<TypeVariable<?>, Type> bound) {
        Type found = substitute(type, bound);
        if (found instanceof ParameterizedType applied) {
            return (Class<?>) applied.getRawType();
        }
        if (found instanceof GenericArrayType row) {
            return Array.newInstance(raw(row.getGenericComponentType(), bound), 0).getClass();
        }
        return (Class<?>) found;
    }

    int size(int depth) {
        return depth > 5 || budget < 0 ? 0 : random.nextInt(4);
    }

    Object value(Type declared, Map<TypeVariable<?>, Type> bound, int depth) throws Exception {
        budget--;
        if (declared instanceof GenericArrayType row) {
            if (random.nextInt(5) == 0 || depth > 6) {
                return null;
            }
            // The array's class is the erased one or, where the application knew it, the bound one.
            Type component = row.getGenericComponentType();
            // Elements that are arrays are lost in an erased one: Java writes a byte for each.
            Class<?> own = raw(component, bound);
            own = random.nextInt(4) == 0 && !own.isArray() ? erase(component) : own;
            Object made = Array.newInstance(own, size(depth));
            for (int i = 0; i < Array.getLength(made); i++) {
                Array.set(made, i, value(component, bound, depth + 1));
            }
            return made;
        }
        Type type = substitute(declared, bound);
        if (type instanceof GenericArrayType) {
            return value(type, bound, depth);
        }
        Class<?> raw = raw(type, bound);
        if (!raw.isPrimitive() && (random.nextInt(6) == 0 || depth > 7)) {
            return null;
        }
        if (raw == EnumMap.class && !serialized) {
            return null;
        }
        if (made == null || raw.isPrimitive()) {
            return fresh(type, raw, bound, depth);
        }
        List<Object> earlier = made.computeIfAbsent(type.getTypeName(), name -> new ArrayList<>());
        if (earlier.isEmpty() || random.nextInt(4) > 0) {
            Object value = fresh(type, raw, bound, depth);
            earlier.add(value);
            return value;
        }
        return earlier.get(random.nextInt(earlier.size()));
    }

    private Object fresh(Type type, Class<?> raw, Map<TypeVariable<?>, Type> bound, int depth) throws Exception {
        Object simple = simple(raw);
        if (simple != null) {
            return simple;
        }
        if (Throwable.class.isAssignableFrom(raw)) {
            Throwable error = random.nextBoolean()
                    ? new IllegalStateException(text())
                    : new com.example.PaymentException(text(), text());
            error.setStackTrace(new StackTraceElement[0]);
            return error;
        }
        Type[] arguments = type instanceof ParameterizedType applied ? applied.getActualTypeArguments() : null;
        if (raw.isArray()) {
            Object made = Array.newInstance(raw.getComponentType(), size(depth));
            for (int i = 0; i < Array.getLength(made); i++) {
                Array.set(made, i, value(raw.getComponentType(), bound, depth + 1));
            }
            return made;
        }
        if (raw == EnumMap.class) {
            return new EnumMap<>(Map.of(com.example.Color.GREEN, text()));
        }
        if (Collection.class.isAssignableFrom(raw) || raw == Iterable.class) {
            return wrapped(raw, collection(raw, arguments == null ? Object.class : arguments[0], bound, depth));
        }
        if (Map.class.isAssignableFrom(raw)) {
            Type key = arguments == null ? String.class : arguments[0];
            return wrapped(raw, map(raw, key, arguments == null ? Object.class : arguments[1], bound, depth));
        }
        if (raw.isEnum()) {
            Object[] constants = raw.getEnumConstants();
            return constants[random.nextInt(constants.length)];
        }
        if (raw == Optional.class) {
            Object inside = value(arguments[0], bound, depth + 1);
            return Optional.ofNullable(inside);
        }
        if (raw.getName().startsWith("com.example.") && !Modifier.isAbstract(raw.getModifiers())) {
            if (depth > 5 || budget < 0) {
                return null;
            }
            Map<TypeVariable<?>, Type> inner = new HashMap<>();
            if (type instanceof ParameterizedType applied) {
                bind(applied, bound, inner);
            }
            return object(raw, inner, depth);
        }
        return any(raw, depth);
    }

    @SuppressWarnings("unchecked")
    private Object wrapped(Class<?> raw, Object value) {
        if (!serialized || random.nextInt(3) > 0) {
            return value;
        }
        Object found = value;
        boolean fixed = random.nextBoolean();
        if (raw == List.class) {
            List<Object> list = (List<Object>) value;
            found = fixed ? Collections.unmodifiableList(list) : Collections.synchronizedList(list);
        } else if (raw == Set.class) {
            found = Collections.unmodifiableSet((Set<Object>) value);
        } else if (raw == Collection.class) {
            found = Collections.unmodifiableCollection((Collection<Object>) value);
        } else if (raw == Map.class) {
            Map<Object, Object> map = (Map<Object, Object>) value;
            found = fixed ? Collections.unmodifiableMap(map) : Collections.synchronizedMap(map);
        }
        try (ObjectOutputStream out = new ObjectOutputStream(OutputStream.nullOutputStream())) {
            out.writeObject(found);
            return found;
        } catch (IOException notSerializable) {
            return value;
        }
    }

    private static Class<?> erase(Type type) {
        if (type instanceof Class<?> c) {
            return c;
        }
        if (type instanceof ParameterizedType applied) {
            return (Class<?>) applied.getRawType();
        }
        if (type instanceof GenericArrayType row) {
            return Array.newInstance(erase(row.getGenericComponentType()), 0).getClass();
        }
        return erase(((TypeVariable<?>) type).getBounds()[0]);
    }

    private static final Class<?>[] ANY = {
        Integer.class, Long.class, String.class, Double.class, Boolean.class, UUID.class, BigDecimal.class,
        Date.class, Short.class, Byte.class, Float.class, Character.class, BigInteger.class, byte[].class,
        int[].class, String[].class, Object[].class, Instant.class, LocalDate.class, ArrayList.class,
        HashMap.class, LinkedHashSet.class, com.example.OrderTask.class, com.example.Stamp.class,
        com.example.Color.class, com.example.Phase.class, com.example.Point.class, com.example.Pair.class,
        com.example.Crate.class, com.example.Leaf.class, com.example.StringCrate.class, com.example.Empty.class,
    };

    Object any(Class<?> declared, int depth) throws Exception {
        if (serialized && declared == Object.class && random.nextInt(8) == 0) {
            return value(IllegalStateException.class, Map.of(), depth + 1);
        }
        for (int i = 0; i < 20; i++) {
            Class<?> chosen = ANY[random.nextInt(ANY.length)];
            if (declared.isAssignableFrom(chosen)) {
                return value(chosen, Map.of(), depth + 1);
            }
        }
        return null;
    }

    Object collection(Class<?> raw, Type element, Map<TypeVariable<?>, Type> bound, int depth) throws Exception {
        int n = size(depth);
        List<Object> items = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            items.add(value(element, bound, depth + 1));
        }
        if (SortedSet.class.isAssignableFrom(raw)) {
            items.removeIf(each -> !(each instanceof String));
            return new TreeSet<>(items);
        }
        if (Set.class.isAssignableFrom(raw)) {
            boolean linked = LinkedHashSet.class == raw || random.nextBoolean() && raw == Set.class;
            Set<Object> made = linked ? new LinkedHashSet<>() : new HashSet<>();
            made.addAll(items);
            return made;
        }
        if (raw == LinkedList.class) {
            return new LinkedList<>(items);
        }
        if (raw == ArrayList.class) {
            return items;
        }
        switch (random.nextInt(7)) {
            case 0: return new LinkedList<>(items);
            case 1: return Arrays.asList(items.toArray());
            case 2: return items.contains(null) || n == 0 ? items : List.of(items.toArray());
            case 3: return n == 0 ? Collections.emptyList() : items;
            case 4: return n == 1 ? Collections.singletonList(items.get(0)) : items;
            default: return items;
        }
    }

    Object map(Class<?> raw, Type key, Type value, Map<TypeVariable<?>, Type> bound, int depth) throws Exception {
        int n = size(depth);
        Map<Object, Object> made;
        if (SortedMap.class.isAssignableFrom(raw)) {
            made = new TreeMap<>();
        } else if (raw == HashMap.class || raw == Map.class && random.nextBoolean()) {
            made = new HashMap<>();
            n = n > 0 && random.nextInt(6) == 0 ? random.nextInt(60) : n;
        } else {
            made = new LinkedHashMap<>();
        }
        for (int i = 0; i < n; i++) {
            Object k = value(key, bound, depth + 1);
            if (made instanceof TreeMap && !(k instanceof String)) {
                continue;
            }
            made.put(k, value(value, bound, depth + 1));
        }
        if (raw == Map.class && n == 1 && random.nextInt(4) == 0 && !made.containsKey(null) && !made.containsValue(null)) {
            return Map.copyOf(made);
        }
        return made;
    }
}
