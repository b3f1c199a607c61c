package com.example;

import java.math.BigDecimal;
import java.time.*;
import java.util.*;

/** A task as services have it, for the codecs with a mapper of their own. */
public class Booking {
    public Long id;
    public String customerName;
    public BigDecimal totalPrice;
    public LocalDateTime createdAt;
    public Instant paidAt;
    public LocalDate dueOn;
    public LocalTime opensAt;
    public OffsetDateTime sentAt;
    public Duration timeToLive;
    public Date updatedAt;
    public Color color;
    public UUID requestId;
    public boolean done;
    public String HTTPPath;
    public String xPos;
    public int item2Count;
    public List<OrderTask> orderTasks;
    public Map<String, Object> moreAttributes;
}
