"""Moves a queue's items to another format, codec, name or server.

The rule: a run that was killed at any point is continued by the next run with the same options, and
no item is lost or doubled. Until then the items that it has not moved are in keys of the migration,
where no other client sees them.

* `order`: what to do, and whether that is safe. `preview`: what it would do. `run`: does it.
"""
