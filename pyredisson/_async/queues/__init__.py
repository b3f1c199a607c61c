"""RQueue, RDeque and their blocking variants.

* `queue`, `deque`, `blocking_queue`, `blocking_deque`: one line a method.
* `pause`: pause and resume. `subscription`: the consumer of `subscribe_on_elements`.
"""
