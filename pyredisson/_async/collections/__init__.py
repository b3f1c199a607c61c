"""RSet, RList, RScoredSortedSet and RSetCache.

The rule: an object is one key. The name mapper also maps the names of other objects in arguments.
In a cluster, all keys of a call must be in one slot.
"""
