"""RQueue, RDeque and their blocking variants.

* `queue`, `deque`, `blocking_queue`, `blocking_deque`: the objects.
* `pause`: pause and resume. `subscription`: the consumer of `subscribe_on_elements`.
"""
