"""RMap and RMapCache: keys and values under one name, for ever or for a while.

The idea: one class sends, and the operations that it sends are those of `_protocol`. So a map of
another kind has other operations, and overrides only methods that do more than send one.

* `map`, `computing`: RMap, and its methods that call functions under the lock of a key.
* `cache`: RMapCache. `eviction` removes its expired entries, `listener` reports its events.
"""
