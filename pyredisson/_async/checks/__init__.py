"""`check` and `repair` of a queue."""
