"""The operations of RLocalCachedMap, the messages of its topic, and its local copies.

A local copy is a value of the map that a client keeps in its own memory. The rules: each write
notifies all clients with copies, also if the write changed nothing, so stale copies are dropped.
(With the sync strategy "none", a write notifies no client.) A client keeps a value that it has read
only if no message about the key arrived between the request and the reply.

* `messages`: what Java and Python publish, as bytes. `map`: the operations. `copies`: the cache.
"""
