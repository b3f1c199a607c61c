"""The operations of RSet, RList, RScoredSortedSet and RSetCache: one key of many values each.

The rule: a reading never writes, so it can be repeated. Redisson's readings of sets use a temporary
key; here only `retain_all` does, in a script that also removes it.
"""
