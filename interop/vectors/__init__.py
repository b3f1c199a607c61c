"""Values through the real codecs: tables, recorders, and fuzzers of both languages."""
