"""RBitSet and RHyperLogLog: Redis strings with binary data."""
