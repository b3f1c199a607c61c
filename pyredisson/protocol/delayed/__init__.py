"""RDelayedQueue: offers, pending items, and when to transfer them.

The rule: delay list and timeout set hold the same bytes of an item, and one script changes both.

* `delayed_queue`: the operations. `entry`: the bytes of a pending item. `item_id`: its id.
* `receipt`: what finds exactly this item again. `lookup`: finds items by a short receipt or as a
  retry. `pending`: pages of what is pending, with times.
* `offer_packer`: offers as bytes that are ready to send. `batches`: the offers of `offer_many`.
* `dedup`: offers with a key. `bounded`: offers with a limit on size or age. `options`: the options
  of a delayed queue.
* `transfer_schedule`: the state machine that decides when to transfer next; the shell gives it the
  time.
"""
