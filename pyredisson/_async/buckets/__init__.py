"""RBucket: one value under one name."""
