package com.example;

import java.net.URI;
import java.net.URL;
import java.nio.charset.Charset;
import java.time.*;
import java.util.*;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.*;
import java.util.regex.Pattern;

/** The JDK's other value types. */
public class Extras {
    public Instant instant;
    public Duration duration;
    public LocalDate localDate;
    public LocalTime localTime;
    public LocalDateTime localDateTime;
    public OffsetTime offsetTime;
    public OffsetDateTime offsetDateTime;
    public ZonedDateTime zonedDateTime;
    public ZoneId zoneId;
    public ZoneOffset zoneOffset;
    public Year year;
    public YearMonth yearMonth;
    public MonthDay monthDay;
    public Period period;
    public DayOfWeek dayOfWeek;
    public Month month;
    public TimeUnit unit;
    public java.sql.Date sqlDate;
    public java.sql.Time sqlTime;
    public java.sql.Timestamp timestamp;
    public Calendar calendar;
    public TimeZone timeZone;
    public Locale locale;
    public Currency currency;
    public Charset charset;
    public URI uri;
    public URL url;
    public Pattern pattern;
    public StringBuilder builder;
    public StringBuffer buffer;
    public BitSet bits;
    public Class<?> type;
    public Optional<String> optional;
    public OptionalInt optionalInt;
    public OptionalLong optionalLong;
    public OptionalDouble optionalDouble;
    public AtomicInteger atomicInteger;
    public AtomicLong atomicLong;
    public AtomicBoolean atomicBoolean;
    public AtomicReference<String> atomicReference;
    public EnumSet<Color> enumSet;
    public EnumMap<Color, String> enumMap;
}
