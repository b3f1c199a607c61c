"""Connections: the only package that imports redis-py and hiredis, and that uses their sockets.

The link works below redis-py's clients. Those clients send a command again if its reply was lost,
cut long blocking reads short, and decode replies as the client is configured. Their connections do
none of this. The link makes connections with the class and the settings of the injected client. It
only reads that client, and never sends commands with it.

An operation that blocks at the server, or needs a confirmation, has a connection of its own. With
asyncio, all other operations share one pipelined connection per server, except very long ones. A
thread uses an idle connection for each call, or opens one. A shared connection would cost two
wake-ups of another thread per call, and no way of sharing was faster with up to 16 threads. A
caller that is cancelled before its reply abandons only that reply. With many threads each Python
call on this path counts twice, because the threads compete for the GIL: removing half of the calls
made eight threads in `take()` nearly twice as fast.

* `connections`: opens and closes connections with redis-py, and packs commands with hiredis.
* `direct_io`: reads and writes a socket that redis-py has opened, if this redis-py has the expected
  internals. Otherwise redis-py does the I/O, by a class of `connections`.
* `pipeline`: the connection that asyncio's callers share, an `asyncio.Protocol`.
* `pools`: the idle connections of threads, and the shared connection of asyncio.
* `errors`: one table from redis-py's errors to `pyredisson.server_errors`.
* `settings`, `cluster_settings`, `sentinel_settings`: the settings of an injected client, and of a
  URL. `urls`: clients from URLs.
* `portable`: copies the settings of a client for another process.
* `naming`: the name of this process in CLIENT LIST, and the names of its consumers.
"""
