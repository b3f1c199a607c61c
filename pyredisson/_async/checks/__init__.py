"""`check` and `repair` of a queue: they read pages, and verify each suspicion with a script.

* `check`: the queue itself. `related`, `returned`, `groups`: its companion keys, such as leases.
* `part`: the base class of these three.
"""
