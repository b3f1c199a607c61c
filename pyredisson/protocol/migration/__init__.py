"""Moves the items of a queue to another format, codec, name or server, each exactly once.

The idea: one script renames the keys of the queue, so that only the migration sees the items. Then
the migration moves the items in batches. One step adds a batch to the queue that gets it, and
records the batch there. The next step removes the batch from the migration. A run is one execution
of the migration. A run that continues an interrupted one first reads the record. So an interruption
between two steps neither loses nor doubles an item. Meanwhile, other clients can use both queues.

* `migration`: the operations. `conversion`: converts one item to another format or codec.
"""
