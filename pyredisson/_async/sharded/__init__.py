"""One logical queue of many shards: each call goes to the shards that it concerns.

* `queue`, `consumer`, `dead_letters`: the objects. `batches`: `offer_many`.
"""
