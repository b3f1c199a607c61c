"""The link: from an operation to its result, over the connections of one client.

`AsyncLink.request(operation)` is the entry point. A topology returns the server of the key, a
server has connections, and an exchange is a request and its reply on one connection. `next_step` in
`protocol/kernel` decides what follows an outcome.

The fast path is for operations that neither wait nor take elements, and are not durable. It uses an
open connection, sends one request and reads one reply. It has few functions, because here a call of
a Python function costs about as much as the function's body. The rule: the fast path handles no
error (a redirection, a rejection, a script that is not loaded, a lost reply). `request` passes each
error to the slow path, and `next_step` decides whether the operation is sent again.

With asyncio, offers that are made to one queue in the same iteration of the event loop are sent in
one call of `offer_many.lua`. Each caller gets its own receipt or error. If many tasks offer all the
time, one call has about half of the offers under way: the server stores this half while the loop
prepares the other half.

* `link`: the fast path. The link also requeues elements that an interrupted caller took, and
  quarantines elements that cannot be decoded.
* `attempts`: the slow path; it does what `next_step` decides.
* `server`: one server: its connections and its clock. `connection`: one connection. `exchanges`:
  exchanges with a connection of their own.
* `in_flight_request`: the state of an operation under way.
* `lifetime`: registers the connections of a client, starts its background tasks, and ends both.
* `capabilities`: which commands the servers reject; logs each rejection once.
* `clocks`: the servers' clocks, or this machine's clock if TIME is rejected.
"""
