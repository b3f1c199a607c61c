"""Waits on one or several servers, in slices, and nodes that do not answer.

The rule: no blocking command is out for more than a slice, and no node keeps a caller from others.

* `slices`: a wait of any length, in short slices. `unblocking`: ends our own wait on the server.
* `first_wins`: several waits at the same time, one a slot; the first that has an element ends all.
* `poll`: looks at many lists in many slots, on one connection a node.
* `one_of_many`: asks one of several nodes for half a second; what it takes later is returned.
* `probes`: nodes that do not answer rest until a probe is answered.
* `failures`: which servers do not serve waiting callers, and what was logged of it.
"""
