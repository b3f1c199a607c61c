"""The operations of RBitSet and RHyperLogLog: strings that are not read as text."""
