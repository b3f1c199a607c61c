import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.*;
import java.util.*;
import java.util.concurrent.atomic.*;
import java.util.stream.Collectors;

/**
 * Says which Python value stands for a Java object, as a Python expression, by the rules of
 * docs/codecs.md; it knows nothing of bytes. For SerializationCodec and MarshallingCodec an object
 * is a JavaObject with the fields in the order of that codec, for FstCodec and KryoCodec the class
 * of a schema.
 */
public class Teller {
    private static final Set<String> ALIKE = Set.of("java.util.ArrayList", "java.util.HashMap");
    private final String codec;

    public Teller(String codec) {
        this.codec = codec;
    }

    public String tell(Object value) {
        if (value == null) {
            return "None";
        }
        if (value instanceof Boolean) {
            return (Boolean) value ? "True" : "False";
        }
        if (value instanceof String) {
            return text((String) value);
        }
        if (value instanceof Number || value instanceof Character) {
            return number(value);
        }
        if (value.getClass().isArray()) {
            return array(value);
        }
        if (value instanceof Enum) {
            return constant((Enum<?>) value);
        }
        if (value instanceof Collection) {
            return collection((Collection<?>) value);
        }
        if (value instanceof Map) {
            return map((Map<?, ?>) value);
        }
        if (value.getClass().getName().startsWith("com.example.")) {
            return object(value);
        }
        String time = time(value);
        return time == null ? other(value) : time;
    }

    private static String text(String value) {
        StringBuilder out = new StringBuilder("\"");
        value.codePoints().forEach(code -> {
            boolean plain = code >= ' ' && code <= '~' && code != '"' && code != '\\';
            out.append(plain ? Character.toString(code) : String.format("\\U%08x", code));
        });
        return out.append('"').toString();
    }

    private static String real(double value) {
        return Double.isNaN(value) ? "nan" : Double.isInfinite(value) ? (value > 0 ? "inf" : "-inf") : "" + value;
    }

    /** A number without its class. */
    private static String plain(Object value) {
        if (value instanceof Character) {
            return text(value.toString());
        }
        if (value instanceof Float || value instanceof Double) {
            return real(((Number) value).doubleValue());
        }
        return value.toString();
    }

    private String number(Object value) {
        if (value instanceof Integer || value instanceof Double) {
            return plain(value);
        }
        if (value instanceof Character) {
            return "JChar(" + plain(value) + ")";
        }
        if (value instanceof BigDecimal) {
            return "Decimal(\"" + value + "\")";
        }
        if (value instanceof BigInteger) {
            return "JBigInteger(" + value + ")";
        }
        if (value instanceof AtomicInteger || value instanceof AtomicLong) {
            return named(value, value.toString());
        }
        return "J" + value.getClass().getSimpleName() + "(" + plain(value) + ")";
    }

    private static String named(Object value, Object... parts) {
        List<String> all = new ArrayList<>(List.of(text(value.getClass().getName())));
        for (Object part : parts) {
            all.add(part.toString());
        }
        return "JValue(" + String.join(", ", all) + ")";
    }

    private String array(Object array) {
        Class<?> component = array.getClass().getComponentType();
        int size = Array.getLength(array);
        List<String> told = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            told.add(declared(Array.get(array, i), component));
        }
        if (component == byte.class) {
            return "bytes([" + told.stream().map(each -> "" + (Integer.parseInt(each) & 255))
                    .collect(Collectors.joining(", ")) + "])";
        }
        return "JArray(" + text(component.getTypeName()) + ", " + told + ")";
    }

    /** A value where its class is fixed: a number is plain there. */
    private String declared(Object value, Class<?> type) {
        boolean fixed = type.isPrimitive() || Number.class.isAssignableFrom(type) || type == Character.class;
        boolean big = value instanceof BigDecimal || value instanceof BigInteger;
        boolean number = value instanceof Number || value instanceof Character;
        return fixed && number && !big && type != Number.class ? plain(value) : tell(value);
    }

    private String constant(Enum<?> value) {
        String name = value.getDeclaringClass().getName();
        if (name.equals("java.time.DayOfWeek")) {
            return "DayOfWeek." + value.name();
        }
        if (value instanceof Comparator) {
            return "NaturalOrder." + value.name();
        }
        if (name.startsWith("com.example.") && isSchema()) {
            return value.getDeclaringClass().getSimpleName() + "." + value.name();
        }
        return "JavaValue(" + text(name) + ", " + text(value.name()) + ")";
    }

    private boolean isSchema() {
        return codec.equals("FstCodec") || codec.equals("KryoCodec");
    }

    /** Kryo writes the class; the others what its writeReplace() gives, which FST's mutex tells, too. */
    private String className(Object value) {
        String name = value.getClass().getName();
        boolean told = codec.equals("KryoCodec") || codec.equals("FstCodec") && name.contains("Synchronized");
        return told || !name.contains("Unmodifiable") && !name.contains("Synchronized")
                ? name
                : name.replace("RandomAccess", "");
    }

    private String comparator(Object container) {
        Comparator<?> found = container instanceof SortedMap ? ((SortedMap<?, ?>) container).comparator()
                : container instanceof SortedSet ? ((SortedSet<?>) container).comparator()
                : container instanceof PriorityQueue ? ((PriorityQueue<?>) container).comparator() : null;
        boolean lost = codec.equals("KryoCodec") && !(container instanceof TreeMap || container instanceof TreeSet);
        return found == null || lost ? "" : ", " + tell(found);
    }

    /** Whether Python takes some for equal, or cannot hash one. */
    private static boolean isMixed(Collection<?> keys) {
        Set<String> seen = new HashSet<>();
        for (Object key : keys) {
            boolean number = key instanceof Number || key instanceof Boolean;
            if (key instanceof Collection || key instanceof Map || number && !seen.add(plain(key))) {
                return true;
            }
        }
        return false;
    }

    private String collection(Collection<?> values) {
        List<String> told = values.stream().map(this::tell).collect(Collectors.toList());
        if (values instanceof EnumSet) {
            Collection<?> some = values.isEmpty() ? EnumSet.complementOf((EnumSet) values) : values;
            String name = ((Enum<?>) some.iterator().next()).getDeclaringClass().getName();
            return "JEnumSet(" + text(name) + ", " + told + ")";
        }
        String name = className(values);
        if (ALIKE.contains(name)) {
            return told.toString();
        }
        boolean set = values instanceof Set && !isMixed(values) && !name.matches(".*(Unmodif|Synchron).*");
        return (set ? "JSet(" : "JList(") + text(name) + ", " + told + comparator(values) + ")";
    }

    private String map(Map<?, ?> map) {
        String name = className(map);
        if (map instanceof EnumMap && map.isEmpty() && !codec.equals("KryoCodec")) {
            return "JEnumMap(" + text(keyType(map)) + ")";
        }
        boolean mixed = isMixed(map.keySet());
        List<String> told = new ArrayList<>();
        map.forEach((key, value) ->
                told.add(mixed ? "(" + tell(key) + ", " + tell(value) + ")" : tell(key) + ": " + tell(value)));
        if (mixed) {
            return "JEntries(" + text(name) + ", " + told + comparator(map) + ")";
        }
        String entries = "{" + String.join(", ", told) + "}";
        return ALIKE.contains(name) ? entries : "JMap(" + text(name) + ", " + entries + comparator(map) + ")";
    }

    private static String keyType(Map<?, ?> map) {
        try {
            Field field = EnumMap.class.getDeclaredField("keyType");
            field.setAccessible(true);
            return ((Class<?>) field.get(map)).getName();
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private String object(Object value) {
        List<Class<?>> line = new ArrayList<>();
        for (Class<?> each = value.getClass(); each.getName().startsWith("com.example."); each = each.getSuperclass()) {
            line.add(0, each);
        }
        List<String> told = new ArrayList<>();
        for (Class<?> each : line) {
            List<Field> fields = new ArrayList<>(Arrays.asList(each.getDeclaredFields()));
            fields.removeIf(field -> (field.getModifiers() & (Modifier.STATIC | Modifier.TRANSIENT)) != 0);
            Comparator<Field> order = Comparator.comparing(Field::getName);
            fields.sort(codec.equals("SerializationCodec")
                    ? Comparator.comparing((Field field) -> !field.getType().isPrimitive()).thenComparing(order)
                    : order);
            for (Field field : fields) {
                told.add(member(field, value));
            }
        }
        Class<?> type = value.getClass();
        String members = String.join(", ", told);
        return isSchema() ? type.getSimpleName() + "(" + members + ")"
                : "JavaObject(" + text(type.getName()) + ", {" + members + "})";
    }

    private String member(Field field, Object owner) {
        Object value;
        try {
            field.setAccessible(true);
            value = field.get(owner);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
        boolean plain = isSchema() || field.getType().isPrimitive();
        String told = plain ? declared(value, field.getType()) : tell(value);
        return isSchema() ? field.getName() + "=" + told : text(field.getName()) + ": " + told;
    }

    private static String moment(String name, LocalDateTime at, String zone) {
        String rest = isPlain(at.toLocalTime()) ? "" : ", nanosecond=" + at.getNano();
        return String.format("%s(%d, %d, %d, %d, %d, %d, %d%s%s)", name, at.getYear(), at.getMonthValue(),
                at.getDayOfMonth(), at.getHour(), at.getMinute(), at.getSecond(), at.getNano() / 1000, zone, rest);
    }

    private static String zone(ZoneOffset offset) {
        return ", tzinfo=timezone(timedelta(seconds=" + offset.getTotalSeconds() + "))";
    }

    /** What datetime can hold, nanoseconds aside. */
    private static boolean isNear(LocalDateTime at) {
        return at.getYear() > 0 && at.getYear() < 10000;
    }

    private static boolean isPlain(LocalTime at) {
        return at.getNano() % 1000 == 0;
    }

    private String time(Object value) {
        if (value instanceof Instant) {
            Instant at = (Instant) value;
            boolean near = Math.abs(at.getEpochSecond()) < 50_000_000_000L;
            LocalDateTime utc = near ? LocalDateTime.ofInstant(at, ZoneOffset.UTC) : null;
            return near && isNear(utc) ? moment("JInstant", utc, ", tzinfo=UTC")
                    : named(value, at.getEpochSecond(), at.getNano());
        }
        if (value instanceof Duration) {
            Duration span = (Duration) value;
            return span.getNano() % 1000 == 0
                    ? "timedelta(seconds=" + span.getSeconds() + ", microseconds=" + span.getNano() / 1000 + ")"
                    : "JDuration(seconds=" + span.getSeconds() + ", nanoseconds=" + span.getNano() + ")";
        }
        if (value instanceof LocalDate) {
            LocalDate day = (LocalDate) value;
            String parts = day.getYear() + ", " + day.getMonthValue() + ", " + day.getDayOfMonth();
            return day.getYear() > 0 && day.getYear() < 10000 ? "date(" + parts + ")" : named(value, parts);
        }
        if (value instanceof LocalTime) {
            return clock((LocalTime) value, "");
        }
        if (value instanceof OffsetTime) {
            return clock(((OffsetTime) value).toLocalTime(), zone(((OffsetTime) value).getOffset()));
        }
        if (value instanceof LocalDateTime) {
            LocalDateTime at = (LocalDateTime) value;
            return isNear(at) ? moment("JLocalDateTime", at, "")
                    : named(value, at.getYear(), at.getMonthValue(), at.getDayOfMonth(), at.getHour(),
                            at.getMinute(), at.getSecond(), at.getNano());
        }
        if (value instanceof OffsetDateTime) {
            OffsetDateTime at = (OffsetDateTime) value;
            return moment("JOffsetDateTime", at.toLocalDateTime(), zone(at.getOffset()));
        }
        if (value instanceof ZonedDateTime) {
            ZonedDateTime at = (ZonedDateTime) value;
            return "JZonedDateTime(" + tell(at.toLocalDateTime()) + ", " + text(at.getZone().getId()) + ")";
        }
        if (value instanceof ZoneOffset) {
            return named(value, ((ZoneOffset) value).getTotalSeconds());
        }
        if (value instanceof Year) {
            return named(value, value);
        }
        if (value instanceof YearMonth) {
            return named(value, ((YearMonth) value).getYear(), ((YearMonth) value).getMonthValue());
        }
        if (value instanceof MonthDay) {
            return named(value, ((MonthDay) value).getMonthValue(), ((MonthDay) value).getDayOfMonth());
        }
        if (value instanceof Period) {
            Period span = (Period) value;
            return named(value, span.getYears(), span.getMonths(), span.getDays());
        }
        return null;
    }

    private static String clock(LocalTime at, String zone) {
        String parts = at.getHour() + ", " + at.getMinute() + ", " + at.getSecond();
        return isPlain(at) ? "time(" + parts + ", " + at.getNano() / 1000 + zone + ")"
                : "JTime(" + parts + zone + ", nanosecond=" + at.getNano() + ")";
    }

    private String other(Object value) {
        if (value instanceof java.sql.Timestamp) {
            java.sql.Timestamp at = (java.sql.Timestamp) value;
            return named(value, Math.floorDiv(at.getTime(), 1000L) * 1000, at.getNanos());
        }
        if (value.getClass() == Date.class) {
            long millis = ((Date) value).getTime();
            boolean held = millis >= -62135596800000L && millis <= 253402300799999L;
            LocalDateTime at = held ? LocalDateTime.ofInstant(Instant.ofEpochMilli(millis), ZoneOffset.UTC) : null;
            return held ? moment("datetime", at, ", tzinfo=UTC") : "JDate(" + millis + ")";
        }
        if (value instanceof Date) {
            return named(value, ((Date) value).getTime());
        }
        if (value instanceof UUID) {
            return "UUID(" + text(value.toString()) + ")";
        }
        if (value instanceof Locale) {
            Locale locale = (Locale) value;
            return named(value, text(locale.getLanguage()), text(locale.getCountry()), text(locale.getVariant()));
        }
        if (value instanceof BitSet) {
            long[] bits = ((BitSet) value).toLongArray();
            return named(value, Arrays.stream(bits).boxed().toArray());
        }
        if (value instanceof AtomicBoolean) {
            return named(value, ((AtomicBoolean) value).get() ? "True" : "False");
        }
        if (value instanceof Map.Entry) {
            Map.Entry<?, ?> entry = (Map.Entry<?, ?>) value;
            return "JavaObject(" + text(value.getClass().getName()) + ", {\"key\": " + tell(entry.getKey())
                    + ", \"value\": " + tell(entry.getValue()) + "})";
        }
        if (value instanceof Comparator) {
            boolean two = value.getClass().getName().endsWith("2");
            return two ? named(value, tell(((Comparator<?>) value).reversed())) : named(value);
        }
        return "JText(" + text(value.getClass().getName()) + ", " + text(value.toString()) + ")";
    }
}
