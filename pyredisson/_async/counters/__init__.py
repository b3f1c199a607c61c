"""RAtomicLong, RAtomicDouble and RIdGenerator: numbers that programs count with."""
