"""Acknowledged consumption: messages are leased, and redelivered if their leases end.

The rule: each step on a delivery is one script, which checks the lease by the server's clock.

* `consumer`: take, acknowledge, extend, release, reject. `delivery`: the record of a message.
* `in_flight`: the leased messages and their consumers. `options`: the options of a consumer.
* `cleanup`: what transfer tasks clean up: crashed consumers' messages, expired items, dedup keys.
"""
