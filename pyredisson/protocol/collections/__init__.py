"""The operations of RSet, RList, RScoredSortedSet and RSetCache, each one key with many values.

The rule: an operation that reads never writes, so it can be repeated. In Redisson, `containsAll` of
RSet writes a temporary key. Here only `retain_all` writes one, except for RList; the same script
deletes the key.
"""
