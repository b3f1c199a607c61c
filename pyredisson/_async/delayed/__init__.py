"""RDelayedQueue: offers, pending items, batches of offers.

* `delayed_queue`: the object. `pending`: its base, with the methods on single pending items and
  the iteration over all of them.
* `batches`: `offer_many`; `batch_sender` stores the batches. `bounded`: a queue with a limit on its
  size, or whose items expire. `carrying`: stores additional bytes for items.
"""
