"""RDelayedQueue: offers, pending items, batches of offers.

* `delayed_queue`: the object. `pending`: its methods on single pending items, and the list of them.
* `batches`: `offer_many`. `bounded`: a queue with a limit on size, or whose items expire.
"""
