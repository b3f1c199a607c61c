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
public class Maker {
    final Random random;
    private final Map<String, List<Object>> made; // what may stand in several places, by type
    private final boolean serialized; // with values that Java serialization writes
    int budget = 60;

    Maker(Random random, boolean shared, boolean serialized) {
        this.random = random;
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
            for (Object each : items) {
                if (linked || made.isEmpty()) {
                    made.add(each);
                }
            }
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
        } else if (raw == HashMap.class || raw == Map.class && n < 2 && random.nextBoolean()) {
            made = new HashMap<>();
            n = Math.min(n, 1);
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

    String text() {
        StringBuilder made = new StringBuilder();
        int n = random.nextInt(8) == 0 ? random.nextInt(80) : random.nextInt(6);
        boolean plain = random.nextInt(3) > 0;
        for (int i = 0; i < n; i++) {
            made.appendCodePoint(plain ? 32 + random.nextInt(95) : random.nextInt(4) == 0 ? 0x10000 + random.nextInt(0x1000) : random.nextInt(0xD7FF));
        }
        return made.toString();
    }

    long bits() {
        return random.nextLong() >> random.nextInt(64);
    }

    Object simple(Class<?> raw) {
        if (raw == String.class || raw == CharSequence.class && random.nextBoolean()) return text();
        if (raw == boolean.class || raw == Boolean.class) return random.nextBoolean();
        if (raw == byte.class || raw == Byte.class) return (byte) random.nextInt();
        if (raw == short.class || raw == Short.class) return (short) random.nextInt();
        if (raw == char.class || raw == Character.class) return (char) random.nextInt();
        if (raw == int.class || raw == Integer.class) return (int) bits();
        if (raw == long.class || raw == Long.class) return bits();
        if (raw == float.class || raw == Float.class) return Float.intBitsToFloat(random.nextInt(0x7F800000));
        if (raw == double.class || raw == Double.class) return random.nextGaussian() * Math.pow(10, random.nextInt(40) - 20);
        if (raw == BigInteger.class) return new BigInteger(random.nextInt(200), random).negate();
        if (raw == BigDecimal.class) return new BigDecimal(new BigInteger(random.nextInt(100), random), random.nextInt(40) - 20);
        if (raw == Date.class) return new Date(bits());
        if (raw == UUID.class) return new UUID(random.nextLong(), random.nextLong());
        if (raw == Instant.class) return Instant.ofEpochSecond(bits() >> 10, random.nextInt(3) == 0 ? 0 : random.nextInt(1_000_000_000));
        if (raw == Duration.class) return Duration.ofSeconds(bits(), random.nextInt(1_000_000_000));
        if (raw == LocalDate.class) return LocalDate.ofEpochDay(random.nextInt(4_000_000) - 1_000_000);
        if (raw == LocalTime.class) return time();
        if (raw == LocalDateTime.class) return local();
        if (raw == OffsetTime.class) return OffsetTime.of(time(), offset());
        if (raw == OffsetDateTime.class) return OffsetDateTime.of(local(), offset());
        if (raw == ZonedDateTime.class) return ZonedDateTime.of(local(), ZoneId.of("Asia/Tokyo"));
        if (raw == ZoneId.class) return ZoneId.of(random.nextBoolean() ? "Europe/Berlin" : "America/New_York");
        if (raw == ZoneOffset.class) return offset();
        if (raw == Year.class) return Year.of(random.nextInt(4000) - 1000);
        if (raw == YearMonth.class) return YearMonth.of(random.nextInt(4000), 1 + random.nextInt(12));
        if (raw == MonthDay.class) return MonthDay.of(1 + random.nextInt(12), 1 + random.nextInt(28));
        if (raw == Period.class) return Period.of(random.nextInt(), random.nextInt(100), -random.nextInt(100));
        if (raw == java.sql.Date.class) return new java.sql.Date(bits());
        if (raw == java.sql.Time.class) return new java.sql.Time(bits());
        if (raw == java.sql.Timestamp.class) return new java.sql.Timestamp(bits() >> 12);
        if (raw == Calendar.class) { Calendar made = Calendar.getInstance(TimeZone.getTimeZone("Europe/Paris"), Locale.US); made.setTimeInMillis(bits() >> 20); return made; }
        if (raw == TimeZone.class) return TimeZone.getTimeZone(random.nextBoolean() ? "Asia/Tokyo" : "UTC");
        if (raw == Locale.class) return random.nextBoolean() ? Locale.GERMANY : Locale.ENGLISH;
        if (raw == Currency.class) return Currency.getInstance(random.nextBoolean() ? "EUR" : "JPY");
        if (raw == java.nio.charset.Charset.class) return random.nextBoolean() ? java.nio.charset.StandardCharsets.UTF_8 : java.nio.charset.StandardCharsets.UTF_16LE;
        if (raw == java.net.URI.class) return java.net.URI.create("http://example.com/" + random.nextInt());
        if (raw == java.net.URL.class) { try { return new java.net.URL("http://example.com/" + random.nextInt()); } catch (Exception e) { return null; } }
        if (raw == java.util.regex.Pattern.class) return java.util.regex.Pattern.compile("a*" + random.nextInt(100), random.nextInt(4));
        if (raw == StringBuilder.class) return new StringBuilder(text());
        if (raw == StringBuffer.class) return new StringBuffer(text());
        if (raw == BitSet.class) { BitSet made = new BitSet(); for (int i = random.nextInt(5); i > 0; i--) made.set(random.nextInt(300)); return made; }
        if (raw == Class.class) { Class<?>[] some = {String.class, int.class, Integer.class, int[].class, com.example.OrderTask.class, List.class}; return some[random.nextInt(some.length)]; }
        if (raw == OptionalInt.class) return random.nextBoolean() ? OptionalInt.empty() : OptionalInt.of(random.nextInt());
        if (raw == OptionalLong.class) return random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(random.nextLong());
        if (raw == OptionalDouble.class) return random.nextBoolean() ? OptionalDouble.empty() : OptionalDouble.of(random.nextDouble());
        if (raw == java.util.concurrent.atomic.AtomicInteger.class) return new java.util.concurrent.atomic.AtomicInteger(random.nextInt());
        if (raw == java.util.concurrent.atomic.AtomicLong.class) return new java.util.concurrent.atomic.AtomicLong(random.nextLong());
        if (raw == java.util.concurrent.atomic.AtomicBoolean.class) return new java.util.concurrent.atomic.AtomicBoolean(random.nextBoolean());
        if (raw == java.util.concurrent.atomic.AtomicReference.class) return new java.util.concurrent.atomic.AtomicReference<>(text());
        if (raw == EnumSet.class) { EnumSet<com.example.Color> made = EnumSet.noneOf(com.example.Color.class); for (com.example.Color each : com.example.Color.values()) if (random.nextBoolean()) made.add(each); return made; }
        return null;
    }

    private LocalTime time() {
        LocalTime made = LocalTime.of(random.nextInt(24), random.nextInt(3) * 20, random.nextInt(3) * 20);
        return random.nextInt(3) == 0 ? made.withNano(random.nextInt(1_000_000_000)) : made;
    }

    private LocalDateTime local() {
        return LocalDateTime.of(LocalDate.ofEpochDay(random.nextInt(4_000_000) - 1_000_000), time());
    }

    private ZoneOffset offset() {
        return ZoneOffset.ofTotalSeconds((random.nextInt(3) == 0 ? random.nextInt(50000) : random.nextInt(70) * 900) - 20000 / 900 * 900);
    }
}
