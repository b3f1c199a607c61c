"""Small helpers that know nothing of Redis: lazy imports, time zones, dying with the parent."""
