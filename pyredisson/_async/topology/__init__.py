"""The server of a key: the only server, the master that Sentinels name, or a cluster's node.

The rule: the address is looked up before each command, so a failover needs no special case.

* `topology`: the protocol of all three, and the class for a cluster. `single`: a single server.
* `sentinel`: the master that Sentinels name, and the task that watches for a new one.
* `sentinels`: which Sentinel to ask, and whether to trust its answer.
"""
