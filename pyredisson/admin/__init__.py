"""What an operator asks of queues: find them, count, read, diagnose and move them.

The rule: nothing here prints or parses arguments, so that the command line, the dashboard and other
tools show the same. Functions take a `Redisson` (they run in a thread), read pages, and change
nothing unless their name says so.

* `find`: the queues of a server. `look`: their counts. `items`: pages of their items in each state.
* `offers`: JSON lines as items to offer. `pick`: pending items by id or value. `times`: delays and
  moments as people write them.
* `migration`: another format, codec, name or server.
* `codecs`: codecs by name, and the codec that bytes look like. `decode`: entries and values.
  `json_values`: values as JSON and as text.
"""
