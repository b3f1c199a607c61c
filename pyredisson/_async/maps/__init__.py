"""RMap and RMapCache: keys and values under one name. Entries of an RMapCache may expire.

The idea: a method of `AsyncMap` sends one operation of the map's `_protocol`. A map of another kind
has another `_protocol`. It overrides only the methods that do more than send one operation.

* `map`, `computing`: RMap, and its methods that call functions under the lock of a key.
* `cache`: RMapCache. `eviction` removes its expired entries, `listener` reports its events.
"""
