"""RDelayedQueue: offers, pending items, and when to transfer them.

The delay list has the pending items in the order of the offers. The timeout set, a sorted set, has
them by due time. The rule: both contain the same bytes of an item. One script adds these bytes to
both, or removes them from both.

* `delayed_queue`: the operations. `entry`: the bytes of a pending item. `item_id`: its id.
* `receipt`: identifies exactly one item. `lookup`: finds items by a short receipt, and items that
  a consumer has requeued with a delay. `pending`: pending items with their due times.
* `offer_packer`: packs offers as bytes that are ready to send. `batches`: the batches of
  `offer_many`.
* `dedup`: offers with a key. `bounded`: offers with a limit on size or age. `options`: the options
  of a delayed queue. `carried`: additional bytes of items.
* `transfer_schedule`: decides when to transfer next; reads no clock.
"""
