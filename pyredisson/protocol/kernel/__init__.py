"""The building blocks of all operations: how they are made, sent again, and decoded.

The rule: no module here depends on an object family.

* `command`: an operation as a value. `replies`: decodes raw replies.
* `scripts`: loads the Lua files and reads their headers.
* `names`: the keys of a queue, Redisson's brace rule, slots. `shards`: names of shards.
* `next_step`: maps (operation, outcome, attempt) to the next step: again, pause, redirect, load the
  script, raise.
* `clock`: bounds of the server's time, from replies to TIME. `due`: converts a delay or a moment to
  a score.
* `cluster`: the node of each slot. `sentinel`: what Sentinels report, and which of them are up to
  date.
* `run_id`: identifies the server process at the other end of a connection.
* `capabilities`: what a server does not support or permit: its errors, the consequences, how long
  a rejection is remembered, and what a user can do. `permissions`: the permission that a rejected
  command needs.
* `durable`: from how many replicas and disks a write needs a confirmation. `confirmation`: adds the
  confirmation to an operation.
* `give_back`: returns removed elements to a server whose memory is full.
* `eviction`: detects whether a server drops keys.
* `backoff`: growing pauses. `outage`: detects the first failure of an outage, and its end.
* `log_fields`: the fields of log lines. `remembered`: a bounded set of names. `number_text`: the
  text of a number in Java. `highway_hash`: Redisson's hash of bytes.
"""
