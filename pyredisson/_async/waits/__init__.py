"""Waits for elements at one server or several servers, also if some do not answer.

A slice is one blocking command of at most 2 s. The rule: no blocking command is longer than a
slice, and a node that does not answer does not keep a caller from the other nodes.

* `slices`: a wait of any length, in slices. `by_thread`: the fast path of a thread's first slice.
* `unblocking`: ends a blocking command of this client at the server.
* `first_wins`: waits at several slots at the same time; the first element ends all waits.
* `poll`: checks many lists in many slots, on one connection for each node.
* `one_of_many`: waits a short time for one of several nodes; the elements of a late reply are
  requeued.
* `probes`: nodes that do not answer are skipped until a probe is answered.
* `failures`: records and logs which servers do not serve waiting callers.
"""
