"""RSet, RList, RScoredSortedSet and RSetCache.

The rule: an object is one key. The name mapper also maps the names of other objects in arguments. A
cluster must have all these keys in one slot.
"""
