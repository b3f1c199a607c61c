"""Connections: the room that knows redis-py's inside, and the sockets below it.

The link works below redis-py's clients, because these send a command again when its reply was
lost, cut long blocking reads, and decode what is not text. Connections do none of this. They are
made with the class and the settings of the injected client, which is read and never used.

An operation that waits on the server, or needs a confirmation, has a connection to itself. All
other operations of asyncio share one pipelined connection a server; a thread uses an idle
connection for each call, because to share one costs two wake-ups of another thread, and up to 16
threads no way of sharing was faster. A caller that leaves before its reply abandons the reply and
nothing else. With many threads each Python call on this path counts twice, since the threads queue
up for Python's lock: half of the calls removed made eight threads of `take()` nearly twice as fast.

* `connections`: opens, closes and packs with redis-py.
* `direct_io`: reads and writes a socket that redis-py has opened, where redis-py's inside is known;
  elsewhere redis-py reads and writes.
* `pipeline`: the connection that asyncio's callers share, an `asyncio.Protocol`.
* `pools`: the idle connections of threads, and the shared one of asyncio.
* `errors`: one table from redis-py's errors to `pyredisson.server_errors`; redis-py's errors leave
  this room in no other form.
* `settings`, `sentinel_settings`: the settings of an injected client. `urls`: clients from URLs.
* `portable`: such a client as data, for another process.
* `naming`: the name of this process in CLIENT LIST and of its consumers.
"""
