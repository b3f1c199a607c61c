"""RBloomFilter: a set that answers "perhaps" or "no", in few bits."""
