"""Acknowledged consumption: a message is leased, and returns to the queue when its lease ends.

The rule: all steps on a delivery compare with the server's clock, in one script.

* `consumer`: take, acknowledge, extend, return, reject. `delivery`: the record of a message.
* `in_flight`: the messages that are leased, and to whom. `options`: the options of a consumer.
* `cleanup`: what consumers left, expired items and dedup keys, for the transfer tasks.
"""
