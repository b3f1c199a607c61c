package com.example;

import java.io.Serializable;
import java.time.LocalDateTime;
import java.util.UUID;

/** What the tasks of a service have in common. */
public abstract class Work implements Serializable {
    private static final long serialVersionUID = 3L;

    public Long id;
    public UUID key;
    public LocalDateTime createdAt;
    public boolean urgent;
}
