"""Moves the items of a queue to another format, codec, name or server, each exactly once.

The idea: one script renames the keys of the queue, so that only the migration sees its items. Then
the migration moves the items in batches. One step adds a batch to the queue that gets it, and
records the batch there. The next step removes the batch from the migration. A run that continues
first reads the record. So an interruption between two steps neither loses nor doubles an item.
Other clients may use both queues meanwhile.

* `migration`: the operations. `conversion`: one item in another format or codec.
"""
