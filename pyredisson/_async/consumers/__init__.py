"""Consumers that acknowledge, their messages, and how messages are settled.

The rule: a message that was taken is handed out, returned, or comes back when its lease ends.

* `consumer`: the object. `message`: one message. `by_priority`: several consumers, for a worker.
* `message_source`: what `get_consumer` needs of an object that is no queue and has messages.
* `prefetched`: messages that were taken and not handed out. `unanswered`: takes without a reply.
* `settlement`, `repeated_settlement`: ends deliveries, also again after a lost reply.
* `in_flight`: the messages that consumers have, read in pages.
"""
