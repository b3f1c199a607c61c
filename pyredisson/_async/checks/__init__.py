"""`check` and `repair` of a queue: reads pages, and checks each suspicion a second time.

* `check`: the queue itself. `beside`, `returned`, `groups`: what is kept beside it.
* `part`: the base of these.
"""
