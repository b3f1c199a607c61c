"""RDelayedQueue: offers, pending items, and when to transfer them.

The rule: delay list and timeout set hold the same bytes of an item, and one script changes both.

* `delayed_queue`: the operations. `entry`: the bytes of a pending item. `item_id`: its id.
* `receipt`: identifies exactly one item. `lookup`: finds items by a short receipt, or as a retry.
  `pending`: pages of pending items with their due times.
* `offer_packer`: packs offers as bytes that are ready to send. `batches`: the batches of
  `offer_many`.
* `dedup`: offers with a key. `bounded`: offers with a limit on size or age. `options`: the options
  of a delayed queue.
* `transfer_schedule`: the state machine that decides when to transfer next; the shell passes the
  time.
"""
