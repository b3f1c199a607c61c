"""The link: from an operation to its result, over the connections of one client.

`AsyncLink.request(operation)` is the way in. A topology returns the server of the key, a server
has connections, and an exchange on one of them is a request and its reply. `next_step` in
`protocol/kernel` decides what to do with an outcome.

The fast path of an operation that does not wait takes an idle connection, sends one request and
reads one reply. It is in few pieces, since each call of a Python function costs as much as what
most of them do. The rule: whatever is not the common case (another node, a rejection, a script that
is not loaded) is no error of the fast path; nothing is stored then, and `request` does it. Offers
that wait at the same moment on asyncio's connection travel in one call of `offer_many.lua`, and
each caller gets its own receipt or error. Where many tasks offer all the time, half of the offers
under way leave together: the server stores them while the loop prepares the other half.

* `link`: sends an operation and does what `next_step` decides; undoes what an interrupted caller
  took, quarantines what cannot be decoded.
* `fast_path`: the fast path. `batches`: the batches of `offer_many` on a connection of their own:
  one is sent before the reply to the one before is read.
* `server`: one server: its connections, and what its clock shows. `connection`: one connection.
  `exchanges`: an exchange that has a connection to itself.
* `in_flight_request`: where an operation under way is.
* `lifetime`: every connection and task of a client begins here, and ends with the client.
* `capabilities`: what the servers reject: learned, logged once, worked around.
* `clocks`: the servers' clocks; where TIME is rejected, this machine's.
"""
