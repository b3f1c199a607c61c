"""Where a key lives: one server, a Sentinel's master, a cluster's node.

The rule: an address is looked up before each command, so a failover needs no special case.

* `topology`: the three kinds, made from a client that is only read.
* `sentinel`: the master that Sentinels name, and the watch for another one.
* `sentinels`: which Sentinel to ask, and whether to believe it.
"""
