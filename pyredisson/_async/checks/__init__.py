"""`check` and `repair` of a queue: they read pages, and verify each suspicion with a script.

* `check`: the queue itself. `related`, `returned`, `groups`: the keys beside it.
* `part`: the base of these.
"""
