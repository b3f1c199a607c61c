"""What the operations of all objects are made of, and the tables that decide for all of them.

The rule: no module here knows an object family.

* `command`: an operation as a value. `replies`: raw replies become values.
* `scripts`: loads the Lua files and reads their headers.
* `names`: the keys of a queue, Redisson's brace rule, slots. `shards`: names of shards.
* `next_step`: (operation, outcome, attempt) gives the next step: return, again, pause, redirect,
  load the script, undo, raise.
* `clock`: bounds of the server's clock from TIME. `due`: a delay or a moment becomes a score.
* `cluster`: the slots of a cluster. `sentinel`: what Sentinels report, and which of them lags.
* `run_id`: which process of a server a connection leads to.
* `capabilities`: what a server does not let us use: its errors, what follows, for how long this is
  believed, and what a user can do. `permissions`: what a user lacks whose command is rejected.
* `durable`: what confirms a write, and what is missing. `eviction`: does a server drop keys?
* `backoff`: pauses that grow. `outage`: the first failure of an outage, and its end.
* `hooks`: the events that a program may receive. `log_fields`: the fields of log lines.
* `remembered`: a bounded set of names.
"""
