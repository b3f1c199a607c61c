"""The link: from an operation to its result, over the connections of one client.

`AsyncLink.request(operation)` is the entry point. A topology returns the server of the key, a
server has connections, and an exchange is a request and its reply on one of them. `next_step` in
`protocol/kernel` decides what follows an outcome.

The fast path of an operation that does not wait takes an open connection, sends one request and
reads one reply. It has few functions, since calling a Python function costs as much as what most of
them do. The rule: anything but the common case (another node, a rejection, a script that is not
loaded) is not an error of the fast path. Nothing is stored then, and `request` runs the operation
on the slow path. Offers that wait at the same moment on asyncio's connection travel in one call of
`offer_many.lua`, and each caller gets its own receipt or error. If many tasks offer all the time,
half of the offers under way are sent together: the server stores them while the loop prepares the
other half.

* `link`: the fast path of every operation. It requeues what an interrupted caller took, and
  quarantines what cannot be decoded. `attempts`: the slow path; it does what `next_step` decides.
* `server`: one server: its connections and its clock. `connection`: one connection. `exchanges`:
  exchanges with a connection of their own.
* `in_flight_request`: the state of an operation under way.
* `lifetime`: starts every connection and task of a client, and ends them with the client.
* `capabilities`: what the servers reject: noted, logged once, worked around.
* `clocks`: the servers' clocks, or this machine's clock if TIME is rejected.
"""
