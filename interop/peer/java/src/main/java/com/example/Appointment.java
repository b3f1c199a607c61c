package com.example;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.util.List;

/** A task with times of each kind; `made` is now, with all digits that the clock has. */
public class Appointment {
    public String id;
    public LocalDateTime made = LocalDateTime.now();
    public Instant instant;
    public LocalDateTime local;
    public LocalTime time;
    public OffsetDateTime offset;
    public OffsetTime offsetTime;
    public Duration duration;
    public List<LocalDateTime> reminders;
}
