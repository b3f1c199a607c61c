"""Waits on one or several servers, in slices, and nodes that do not answer.

A slice is one blocking command of at most 2 s. The rule: no blocking command is longer than a
slice, and a node that does not answer does not keep a caller from the others.

* `slices`: a wait of any length, in slices. `by_thread`: the fast path of a thread's first slice.
* `unblocking`: ends our own wait on the server.
* `first_wins`: several waits at the same time, one a slot; the first that has an element ends all.
* `poll`: checks many lists in many slots, on one connection a node.
* `one_of_many`: waits half a second for one of several nodes; what it takes later is requeued.
* `probes`: nodes that do not answer are skipped until a probe is answered.
* `failures`: which servers do not serve waiting callers, and what was logged about it.
"""
