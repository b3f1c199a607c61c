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

/** Random values of classes without elements or fields of their own. */
public class SimpleMaker {
    final Random random;

    SimpleMaker(Random random) {
        this.random = random;
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
