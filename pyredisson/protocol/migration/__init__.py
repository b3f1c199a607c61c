"""Moves the items of a queue to another format, codec, name or server, each exactly once.

The idea: one script renames the keys of the queue, so that only the migration sees its items. Then
each batch is first added to the queue that gets it, with a record of that, and then removed from
the migration. A run that continues reads the record first. So nothing that happens between two
steps loses or doubles an item, and other clients may use both queues meanwhile.

* `migration`: the operations. `conversion`: one item in another format or codec.
"""
