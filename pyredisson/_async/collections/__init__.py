"""RSet, RList, RScoredSortedSet and RSetCache.

The rule: an object is one key. Names of other objects are mapped like its own, and a cluster must
have all of them in one slot.
"""
