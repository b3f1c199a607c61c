"""Connections: only this package imports redis-py and hiredis, or uses redis-py's sockets.

The link (`_async/link`) does not use redis-py's clients. A client of redis-py sends a command again
if its reply was lost, cuts long blocking reads short, and decodes replies as it is configured. A
connection of redis-py does none of this. The link makes connections with the class and the settings
of the client that the user has passed. It only reads that client, and never sends commands with it.

An operation that blocks at the server, or waits for replicas or disks, has a connection of its own.
With asyncio, all other operations share one pipelined connection per server, except very long
requests. If a caller is cancelled before its reply comes, the other callers still get theirs.

A thread uses an idle connection for each call, or opens one. A shared connection would cost two
wake-ups of another thread per call, and no way of sharing was faster with up to 16 threads. The
threads compete for the GIL, so each Python call here delays all of them. After half of the calls
were removed, eight threads in `take()` were nearly twice as fast.

* `connections`: opens and closes connections with redis-py, and packs commands with hiredis.
* `direct_io`: reads and writes a socket that redis-py has opened, if this redis-py has the expected
  internals. Otherwise redis-py does the I/O, called by a class of `connections`.
* `pipeline`: the connection that asyncio's callers share, an `asyncio.Protocol`.
* `pools`: the idle connections of threads, and the shared connection of asyncio.
* `errors`: one table that maps redis-py's errors to the errors of `pyredisson.server_errors`.
* `settings`, `cluster_settings`, `sentinel_settings`: the settings of the user's client or URL.
  `urls`: makes clients from URLs.
* `portable`: copies the settings of a client for another process.
* `naming`: the name of this process's connections in CLIENT LIST, and its consumers' names.
"""
