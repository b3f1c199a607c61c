"""Connections: the only room that uses redis-py and its internals, and the sockets below it.

The link works below redis-py's clients. Those clients send a command again when its reply was lost,
cut long blocking reads short, and decode replies that are not text. Their connections do none of
this. The link makes connections with the class and the settings of the injected client; it reads
that client and never sends commands with it.

An operation that blocks on the server, or needs a confirmation, has a connection to itself. All
other asyncio operations share one pipelined connection per server. A thread uses an idle connection
for each call: a shared one would cost two wake-ups of another thread per call, and no way of
sharing was faster with up to 16 threads. A caller that is cancelled before its reply abandons only
that reply. With many threads each Python call on this path counts twice, because the threads
compete for the GIL: removing half of the calls made eight threads in `take()` nearly twice as fast.

* `connections`: opens, closes and packs with redis-py.
* `direct_io`: reads and writes a socket that redis-py has opened, if this redis-py has the expected
  internals; otherwise redis-py reads and writes.
* `pipeline`: the connection that asyncio's callers share, an `asyncio.Protocol`.
* `pools`: the idle connections of threads, and the shared one of asyncio.
* `errors`: one table from redis-py's errors to `pyredisson.server_errors`; redis-py's errors leave
  this room in no other form.
* `settings`, `cluster_settings`, `sentinel_settings`: the settings of an injected client, and of a
  URL. `urls`: clients from URLs.
* `portable`: serializes the settings of a client for another process.
* `naming`: the name of this process in CLIENT LIST, and the names of its consumers.
"""
