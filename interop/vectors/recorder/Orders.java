import java.lang.reflect.Field;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.*;
import java.util.*;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.*;

/** Writes, as JSON, the hash codes of values and the orders of maps: interop/vectors/record_orders.py. */
public class Orders {
    record Point(int x, long y, String name, float part, Object any) {}

    static final List<String> ROWS = new ArrayList<>();

    static String quote(Object value) {
        StringBuilder out = new StringBuilder("\"");
        for (char c : value.toString().toCharArray()) {
            if (c == '"' || c == '\\') out.append('\\').append(c);
            else if (c < 32 || c > 126) out.append(String.format("\\u%04x", (int) c));
            else out.append(c);
        }
        return out.append('"').toString();
    }

    static void hash(String python, Object value) {
        ROWS.add(String.format("{\"python\": %s, \"type\": %s, \"hash\": %d}",
            quote(python), quote(value.getClass().getName()), value.hashCode()));
    }

    static int table(Map<?, ?> map) throws Exception {
        Field field = map.getClass().getDeclaredField("table");
        field.setAccessible(true);
        Object table = field.get(map);
        return table == null ? 0 : java.lang.reflect.Array.getLength(table);
    }

    /** The order of a map that was filled by put, as places in the order of put. */
    static <K> void order(String name, String python, List<K> keys) throws Exception {
        order("java.util.HashMap", name, python, keys, new HashMap<>());
        if (keys.size() < 400) {
            order("java.util.concurrent.ConcurrentHashMap", name, python, keys, new ConcurrentHashMap<>());
            order("java.util.Hashtable", name, python, keys, new Hashtable<>());
        }
        if (keys.size() < 400 && keys.stream().allMatch(each -> each instanceof String)) {
            order("java.util.Properties", name, python, keys, new Properties());
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    static <K> void order(String type, String name, String python, List<K> keys, Map map) throws Exception {
        Map<K, Integer> places = new LinkedHashMap<>();
        for (K each : keys) places.putIfAbsent(each, places.size());
        for (K each : places.keySet()) map.put(each, each);
        String order = ((Map<K, K>) map).keySet().stream().map(e -> places.get(e).toString()).collect(Collectors.joining(","));
        String put = places.keySet().stream().map(Orders::quote).collect(Collectors.joining(", "));
        if (type.equals("java.util.HashMap")) {
            ROWS.add(String.format("{\"name\": %s, \"key\": %s, \"put\": [%s], \"table\": %d}",
                quote(name), quote(python), put, table(map)));
        }
        ROWS.add(String.format("{\"map\": %s, \"order\": [%s]}", quote(type), order));
    }

    static String word(Random random, int alphabet, int length) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < length; i++) out.append((char) ('a' + random.nextInt(alphabet)));
        return out.toString();
    }

    /** Texts of one hash code: "Aa" and "BB" have the same. */
    static List<String> colliding(int pairs) {
        List<String> found = List.of("");
        for (int i = 0; i < pairs; i++) {
            found = found.stream().flatMap(e -> Stream.of(e + "Aa", e + "BB")).toList();
        }
        return found;
    }

    public static void main(String[] args) throws Exception {
        hash("'hello'", "hello");
        hash("''", "");
        hash("'ж' * 70", "ж".repeat(70));
        hash("'😀x'", "😀x");
        hash("'ab' * 100", "ab".repeat(100));
        hash("True", true);
        hash("False", false);
        hash("-1", -1);
        hash("JLong(-1)", -1L);
        hash("2**40", 1L << 40);
        hash("JLong(-2**63)", Long.MIN_VALUE);
        hash("JShort(-3)", (short) -3);
        hash("JByte(-3)", (byte) -3);
        hash("JChar('ж')", 'ж');
        hash("1.5", 1.5);
        hash("-0.0", -0.0);
        hash("float('nan')", Double.NaN);
        hash("-float('nan')", Double.NaN);
        hash("JFloat(1.5)", 1.5f);
        hash("JFloat('nan')", Float.NaN);
        hash("JBigInteger(5)", BigInteger.valueOf(5));
        hash("JBigInteger(-5)", BigInteger.valueOf(-5));
        hash("JBigInteger(0)", BigInteger.ZERO);
        hash("JBigInteger(-(10**40))", BigInteger.TEN.pow(40).negate());
        hash("JBigInteger(2**64)", BigInteger.TWO.pow(64));
        hash("Decimal('12.50')", new BigDecimal("12.50"));
        hash("Decimal('-12.5')", new BigDecimal("-12.5"));
        hash("Decimal('1E+5')", new BigDecimal("1E+5"));
        hash("Decimal('0')", BigDecimal.ZERO);
        hash("Decimal('-123456789012345678901234567890.12')", new BigDecimal("-123456789012345678901234567890.12"));
        hash("Decimal('-9223372036854775808')", BigDecimal.valueOf(Long.MIN_VALUE));
        hash("UUID('123e4567-e89b-12d3-a456-426614174000')", UUID.fromString("123e4567-e89b-12d3-a456-426614174000"));
        hash("datetime(2023, 11, 14, 22, 13, 20, 123000, tzinfo=UTC)", new Date(1700000000123L));
        hash("JDate(-1)", new Date(-1));
        hash("date(2024, 2, 29)", LocalDate.of(2024, 2, 29));
        hash("JValue('java.time.LocalDate', -5, 1, 2)", LocalDate.of(-5, 1, 2));
        hash("time(1, 2, 3, 4)", LocalTime.of(1, 2, 3, 4000));
        hash("JValue('java.time.LocalTime', 1, 2, 3, 4)", LocalTime.of(1, 2, 3, 4));
        hash("time(1, 2, 3, 4, tzinfo=timezone(timedelta(hours=-2)))", OffsetTime.of(1, 2, 3, 4000, ZoneOffset.ofHours(-2)));
        hash("JValue('java.time.OffsetTime', 1, 2, 3, 4, -7200)", OffsetTime.of(1, 2, 3, 4, ZoneOffset.ofHours(-2)));
        hash("JLocalDateTime(2024, 2, 29, 1, 2, 3, 4)", LocalDateTime.of(2024, 2, 29, 1, 2, 3, 4000));
        hash("JValue('java.time.LocalDateTime', 10000, 2, 29, 1, 2, 3, 4)", LocalDateTime.of(10000, 2, 29, 1, 2, 3, 4));
        hash("JInstant(2024, 2, 29, 1, 2, 3, 4, tzinfo=UTC)", LocalDateTime.of(2024, 2, 29, 1, 2, 3, 4000).toInstant(ZoneOffset.UTC));
        hash("JInstant(1924, 2, 29, 1, 2, 3, 4, tzinfo=UTC)", LocalDateTime.of(1924, 2, 29, 1, 2, 3, 4000).toInstant(ZoneOffset.UTC));
        hash("JValue('java.time.Instant', -5, 7)", Instant.ofEpochSecond(-5, 7));
        hash("JOffsetDateTime(2024, 2, 29, 1, 2, 3, 4, tzinfo=timezone(timedelta(hours=-2)))", OffsetDateTime.of(2024, 2, 29, 1, 2, 3, 4000, ZoneOffset.ofHours(-2)));
        hash("JValue('java.time.OffsetDateTime', 2024, 2, 29, 1, 2, 3, 4, -7200)", OffsetDateTime.of(2024, 2, 29, 1, 2, 3, 4, ZoneOffset.ofHours(-2)));
        hash("JTime(1, 2, 3, nanosecond=4)", LocalTime.of(1, 2, 3, 4));
        hash("JTime(1, 2, 3, tzinfo=UTC, nanosecond=4)", OffsetTime.of(1, 2, 3, 4, ZoneOffset.UTC));
        hash("JInstant(1924, 2, 29, tzinfo=UTC, nanosecond=123456789)", LocalDateTime.of(1924, 2, 29, 0, 0, 0, 123456789).toInstant(ZoneOffset.UTC));
        hash("JLocalDateTime(2024, 2, 29, nanosecond=123456789)", LocalDateTime.of(2024, 2, 29, 0, 0, 0, 123456789));
        hash("JOffsetDateTime(2024, 2, 29, tzinfo=UTC, nanosecond=123456789)", OffsetDateTime.of(2024, 2, 29, 0, 0, 0, 123456789, ZoneOffset.UTC));
        hash("JDuration(nanoseconds=-1)", Duration.ofNanos(-1));
        hash("timedelta(seconds=5, microseconds=3)", Duration.ofSeconds(5, 3000));
        hash("timedelta(microseconds=-1)", Duration.ofNanos(-1000));
        hash("JValue('java.time.Duration', -2**63, 7)", Duration.ofSeconds(Long.MIN_VALUE, 7));
        hash("JValue('java.time.ZoneOffset', -3600)", ZoneOffset.ofHours(-1));
        hash("JText('java.time.ZoneRegion', 'Europe/Berlin')", ZoneId.of("Europe/Berlin"));
        hash("JValue('java.time.Year', -5)", Year.of(-5));
        hash("JValue('java.time.YearMonth', 2024, 12)", YearMonth.of(2024, 12));
        hash("JValue('java.time.MonthDay', 2, 29)", MonthDay.of(2, 29));
        hash("JValue('java.time.Period', 1, -2, 3)", Period.of(1, -2, 3));
        hash("JValue('java.util.Optional', 'x')", Optional.of("x"));
        hash("JValue('java.util.Optional')", Optional.empty());
        hash("JValue('java.util.OptionalInt', -5)", OptionalInt.of(-5));
        hash("JValue('java.util.OptionalInt')", OptionalInt.empty());
        hash("JValue('java.util.OptionalLong', -5)", OptionalLong.of(-5));
        hash("JValue('java.util.OptionalLong')", OptionalLong.empty());
        hash("JValue('java.util.OptionalDouble', 1.5)", OptionalDouble.of(1.5));
        hash("JValue('java.util.OptionalDouble')", OptionalDouble.empty());
        hash("['a', None, JLong(-1)]", Arrays.asList("a", null, -1L));
        hash("frozenset({'a', -1, None})", new HashSet<>(Arrays.asList("a", -1, null)));
        hash("{'a': -1, None: 'b'}", new HashMap<>(new HashMap<>() {{ put("a", -1); put(null, "b"); }}));
        hash("Point(1, -1, 'n', 0.1, ['x'])", new Point(1, -1L, "n", 0.1f, List.of("x")));
        hash("Point(1, -1, None, 0.1, None)", new Point(1, -1L, null, 0.1f, null));

        Random random = new Random(7);
        for (int count : new int[] {0, 1, 2, 3, 5, 8, 11, 12, 13, 24, 25, 48, 49, 97, 200, 399, 769, 2000}) {
            order("words", "str", Stream.generate(() -> word(random, 26, 2 + random.nextInt(9))).limit(count).toList());
            if (count < 1000) {
                order("ints", "int", Stream.generate(() -> random.nextInt(1 << 20) - 1000).limit(count).toList());
            }
            if (count < 100) {
                order("negative longs", "JLong", Stream.generate(() -> random.nextLong() >> random.nextInt(60)).limit(count).toList());
                order("doubles", "float", Stream.generate(() -> random.nextInt(500) / 8.0 - 20).limit(count).toList());
                order("decimals", "Decimal", Stream.generate(() -> BigDecimal.valueOf(random.nextInt(100000) - 1000, 2)).limit(count).toList());
                order("uuids", "UUID", Stream.generate(() -> new UUID(random.nextLong(), random.nextLong())).limit(count).toList());
                order("characters", "JChar", Stream.generate(() -> (char) ('a' + random.nextInt(500))).limit(count).toList());
                order("long texts", "str", Stream.generate(() -> word(random, 26, 30 + random.nextInt(100))).limit(count).toList());
            }
        }
        for (int size = 1; size <= 6; size++) order("one hash code", "str", colliding(size));
        order("one hash code, backwards", "str", colliding(6).stream().sorted(Comparator.reverseOrder()).toList());
        order("multiples of 2^k", "int", IntStream.range(0, 200).mapToObj(i -> i << 9).toList());
        order("multiples, backwards", "int", IntStream.range(0, 60).mapToObj(i -> (60 - i) << 11).toList());
        order("both signs in one bucket", "int", IntStream.range(0, 60).mapToObj(i -> (i % 2 == 0 ? i : -i) << 24).toList());
        order("longs of one hash code", "JLong", LongStream.range(0, 40).mapToObj(i -> (i * 7 % 40) << 32 | (i * 7 % 40)).toList());
        order("uuids of one hash code", "UUID", LongStream.range(-20, 20).mapToObj(i -> new UUID(i * 7 % 40, i * 7 % 40)).toList());
        for (int i = 0; i < 150; i++) {
            List<String> pool = new ArrayList<>(colliding(3 + random.nextInt(4)));
            int more = random.nextInt(120);
            for (int j = 0; j < more; j++) pool.add(word(random, 3, 1 + random.nextInt(6)));
            Collections.shuffle(pool, random);
            order("collisions among words", "str", pool.subList(0, Math.min(pool.size(), 9 + random.nextInt(110))));
        }
        for (int i = 0; i < 80; i++) {
            int shift = 4 + random.nextInt(16), count = 9 + random.nextInt(150), spread = 1 << 3 + random.nextInt(6);
            order("crowded buckets", "int", Stream.generate(() -> (random.nextInt(spread) << shift) + random.nextInt(4)).limit(count).toList());
        }
        System.out.println("[\n" + String.join(",\n", ROWS) + "\n]");
    }
}
