"""The work of an operator: find queues, count, read, diagnose and move their items.

The rule: no module here prints or parses arguments, so that the command line, the dashboard and
other tools show the same. Functions that need a client take a `Redisson`, and read in pages.
Only `dead`, `poison` and `migration` have functions that change a queue.

* `find`: the queues of a server. `look`: their counts. `watch`: the changes of the counts.
* `items`: pages of their items in each state, with `cursors`. `pick`: pending items by id or value.
* `dead`: dead letters by page, id and reason. `poison`: requeues all poison.
* `offers`: JSON lines as items to offer. `times`: durations and moments as people write them.
* `doctor`: why no item arrives. `migration`: another format, codec, name or server.
* `codecs`: codecs by name, and the codec that bytes look like. `decode`: entries and values.
  `json_values`: values as JSON and as text.
* `nodes`: commands to all servers of a client, and many commands in one round trip.
"""
