"""The operations of RLocalCachedMap, the messages of its topic, and its local copies.

The rules: each write notifies all copies, also if it changed nothing, so that stale copies are
dropped. A value that was read is kept only if no message about its key came meanwhile.

* `messages`: what Java and Python publish, as bytes. `map`: the operations. `copies`: the cache.
"""
