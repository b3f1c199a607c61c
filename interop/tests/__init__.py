"""Python and a real Java Redisson on one Redis."""
