"""Moves a queue's items to another format, codec, name or server.

The rule: a run may be killed at any point. The next run with the same options continues it, and no
item is lost or duplicated. Until then, the items that the run has not moved are in keys of the
migration, which no other client reads.

* `order`: the options of a migration, and whether it is safe. `preview`: counts without a change.
* `run`: the migration itself.
"""
