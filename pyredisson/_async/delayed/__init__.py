"""RDelayedQueue: offers, pending items, batches of offers.

* `delayed_queue`: the object. `pending`: methods on single pending items, and their list.
* `batches`: `offer_many`; `batch_sender` stores its batches. `bounded`: a queue with a limit on its
  size, or whose items expire.
"""
