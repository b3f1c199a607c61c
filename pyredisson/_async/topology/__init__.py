"""Where a key lives: one server, a Sentinel's master, a cluster's node.

The rule: the address is looked up before each command, so a failover needs no special case.

* `topology`: the protocol, a single server, and a cluster, made from an injected client.
* `sentinel`: the master that Sentinels name, and the task that watches for a new one.
* `sentinels`: which Sentinel to ask, and whether to trust its answer.
"""
