"""The operations of RBitSet and RHyperLogLog, which are strings of bytes in Redis."""
