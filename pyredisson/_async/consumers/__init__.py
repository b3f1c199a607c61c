"""Consumers that acknowledge, their messages, and how messages are settled.

The rule: a consumer hands out or releases each message that it takes. Otherwise the lease of the
message ends, and the message is redelivered.

* `consumer`: the object. `message`: one message. `by_priority`: several consumers, for a worker.
* `message_source`: the base of objects other than queues that `get_consumer` accepts.
* `prefetched`: messages that were taken and not handed out. `unanswered`: takes without a reply.
* `message`, `settlement`: settle messages, also after a lost reply.
* `in_flight`: reads the messages that consumers hold, in pages.
"""
