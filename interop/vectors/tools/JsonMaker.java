import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.*;
import java.util.*;

/** Random values as a Jackson codec takes them: no null keys, subclasses where Java allows them. */
public class JsonMaker extends Maker {
    /** Before JDK 19 Double.toString was not always the shortest text. */
    private static final boolean OLD = Runtime.version().feature() < 19;

    private final List<Class<?>> beans;
    private final boolean times;
    private final boolean typed;

    JsonMaker(Random random, List<Class<?>> beans, boolean times, boolean typed) {
        super(random, false, false);
        this.beans = beans;
        this.times = times;
        this.typed = typed;
    }

    /** A whole message. */
    Object message() throws Exception {
        while (true) {
            try {
                return tried();
            } catch (IllegalArgumentException e) {
                continue; // an array whose erased class does not take what its variable is bound to
            }
        }
    }

    /** Mostly an object of our classes. */
    private Object tried() throws Exception {
        if (typed || random.nextInt(5) > 0) {
            while (true) {
                Class<?> type = beans.get(random.nextInt(beans.size()));
                if (type.isEnum() || Modifier.isAbstract(type.getModifiers())) {
                    continue;
                }
                // Jackson writes final classes at the root without a class, and cannot read them.
                if (typed || !Modifier.isFinal(type.getModifiers()) || random.nextInt(40) == 0) {
                    return super.object(type, Map.of(), 0);
                }
            }
        }
        Object made = any(Object.class, 0);
        return made == null ? new ArrayList<>() : made;
    }

    @Override
    Object object(Class<?> type, Map<TypeVariable<?>, Type> bound, int depth) throws Exception {
        if (random.nextInt(3) == 0) {
            Class<?> chosen = beans.get(random.nextInt(beans.size()));
            Map<TypeVariable<?>, Type> own = new HashMap<>();
            boolean fits = chosen != type && type.isAssignableFrom(chosen);
            if (fits && !Modifier.isAbstract(chosen.getModifiers()) && unify(chosen, type, bound, own)) {
                return super.object(chosen, own, depth);
            }
        }
        return super.object(type, bound, depth);
    }

    /** Find what the subclass's variables are where the class's are bound so. */
    private static boolean unify(
            Class<?> sub, Class<?> above, Map<TypeVariable<?>, Type> bound, Map<TypeVariable<?>, Type> found) {
        if (sub.getSuperclass() != above) {
            return above.getTypeParameters().length == 0;
        }
        if (!(sub.getGenericSuperclass() instanceof ParameterizedType extended)) {
            return bound.isEmpty();
        }
        for (int i = 0; i < above.getTypeParameters().length; i++) {
            Type wanted = bound.get(above.getTypeParameters()[i]);
            Type mine = extended.getActualTypeArguments()[i];
            if (wanted == null || wanted == Object.class) {
                continue;
            }
            if (!(mine instanceof TypeVariable<?> name)) {
                return false;
            }
            if (found.put(name, wanted) != null) {
                return false;
            }
        }
        return true;
    }

    private static final Class<?>[] SCALARS = {
        Integer.class, Long.class, String.class, Double.class, Boolean.class, UUID.class, BigDecimal.class,
        Date.class, Short.class, Byte.class, Float.class, Character.class, BigInteger.class,
    };
    private static final Class<?>[] OTHERS = {
        byte[].class, int[].class, long[].class, char[].class, double[].class, String[].class, Object[].class,
        Long[].class, Integer[].class, int[][].class, Date[].class, UUID[].class, Number[].class, String[][].class,
        ArrayList.class, HashMap.class, LinkedHashMap.class, TreeMap.class, LinkedHashSet.class, List.class,
        Map.class, Set.class, LinkedList.class, EnumSet.class, StringBuilder.class, java.net.URI.class,
        Locale.class, Currency.class, java.util.concurrent.atomic.AtomicLong.class, ArrayDeque.class,
    };
    private static final Class<?>[] TIMES = {
        Instant.class, Duration.class, LocalDate.class, LocalTime.class, LocalDateTime.class, OffsetTime.class,
        OffsetDateTime.class, ZonedDateTime.class, ZoneId.class, ZoneOffset.class, Year.class, YearMonth.class,
        MonthDay.class, Period.class, DayOfWeek.class, Month.class,
    };

    @Override
    Object value(Type declared, Map<TypeVariable<?>, Type> bound, int depth) throws Exception {
        return !times && raw(declared, bound) == Optional.class ? null : super.value(declared, bound, depth);
    }

    @Override
    Object any(Class<?> declared, int depth) throws Exception {
        for (int i = 0; i < 20; i++) {
            Class<?> chosen;
            switch (random.nextInt(times ? 5 : 4)) {
                case 0: chosen = beans.get(random.nextInt(beans.size())); break;
                case 1: chosen = OTHERS[random.nextInt(OTHERS.length)]; break;
                case 4: chosen = TIMES[random.nextInt(TIMES.length)]; break;
                default: chosen = SCALARS[random.nextInt(SCALARS.length)];
            }
            // Without its class a BigDecimal comes back as a Double, whose text may be another.
            if (declared.isAssignableFrom(chosen) && !(typed && chosen == BigDecimal.class)) {
                return value(chosen, Map.of(), depth + 1);
            }
        }
        return null;
    }

    @Override
    Object simple(Class<?> raw) {
        if (!times && raw.getName().startsWith("java.time.") && !raw.isEnum()) return null;
        if (raw == Optional.class || raw == OptionalInt.class || raw == OptionalLong.class) return null;
        // Without its class a Time is a text of the writer's time zone, and a BitSet is lost.
        if (typed && (raw == BitSet.class || raw == java.sql.Time.class)) return null;
        if (raw == OptionalDouble.class || raw == Class.class || raw == Calendar.class) return null;
        if ((raw == double.class || raw == Double.class) && random.nextInt(8) == 0) {
            double[] some = {0.0, -0.0, Double.NaN, Double.POSITIVE_INFINITY, Double.MIN_VALUE, 1e7, 1e-3};
            return some[random.nextInt(some.length)];
        }
        if ((raw == float.class || raw == Float.class) && random.nextInt(8) == 0) {
            float[] some = {0f, -0f, Float.NaN, Float.NEGATIVE_INFINITY, Float.MIN_VALUE, 1e7f, 1e-3f};
            return some[random.nextInt(some.length)];
        }
        if ((raw == double.class || raw == Double.class) && OLD) {
            return random.nextInt() / 64.0;
        }
        if ((raw == float.class || raw == Float.class) && OLD) {
            return (random.nextInt(1 << 20) - (1 << 19)) / 64f;
        }
        if (raw == BigDecimal.class) {
            BigInteger digits = new BigInteger(random.nextInt(OLD && typed ? 40 : 100), random);
            return new BigDecimal(random.nextBoolean() ? digits : digits.negate(), random.nextInt(40) - 20);
        }
        if (raw == BigInteger.class) {
            BigInteger made = new BigInteger(random.nextInt(200), random);
            return random.nextBoolean() ? made : made.negate();
        }
        if (raw == Object.class && random.nextInt(3) == 0) return text();
        return super.simple(raw);
    }

    @Override
    Object collection(Class<?> raw, Type element, Map<TypeVariable<?>, Type> bound, int depth) throws Exception {
        Object made = super.collection(raw, element, bound, depth);
        if (typed && made instanceof Set<?> set && set.size() > 1) {
            set.retainAll(Collections.singleton(set.iterator().next())); // Java reads it in another order
        }
        return made;
    }

    @Override
    Object map(Class<?> raw, Type key, Type value, Map<TypeVariable<?>, Type> bound, int depth) throws Exception {
        Type known = substitute(key, bound);
        boolean open = raw(known, bound) == Object.class;
        Map<Object, Object> made;
        if (SortedMap.class.isAssignableFrom(raw)) {
            made = new TreeMap<>();
        } else if (raw == HashMap.class || random.nextBoolean() && raw == Map.class) {
            made = new HashMap<>();
        } else {
            made = new LinkedHashMap<>();
        }
        int most = typed ? 1 : 3; // enum keys are in another order once Java has read them
        int n = Math.min(size(depth), most);
        if (n > 0 && open && made.getClass() == HashMap.class && !typed && random.nextInt(6) == 0) {
            n = random.nextInt(60);
        }
        for (int i = n; i > 0; i--) {
            Object k = open ? text() : value(known, bound, depth + 1);
            if (k != null && (!(made instanceof TreeMap) || k instanceof String)) {
                made.put(k, value(value, bound, depth + 1));
            }
        }
        if (raw == Map.class && random.nextInt(6) == 0 && !made.containsValue(null)) {
            return Map.copyOf(made);
        }
        return made;
    }
}
