"""The operations of RLocalCachedMap, the messages of its topic, and its local copies.

A local copy is a value of the map that a client keeps in its own memory. The rules: each write
notifies all clients with copies, also if the write changed nothing, so that they drop stale copies.
(With the sync strategy "none", a write notifies no client.) After a read, a client stores a copy of
the value only if no message about the key arrived between the request and the reply.

* `messages`: the bytes of the messages that Java and Python publish. `map`: the operations.
* `copies`: the copies in memory.
"""
