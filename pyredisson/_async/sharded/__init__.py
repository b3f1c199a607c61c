"""One logical queue of several shards, which are queues in different slots of a cluster.

* `queue`, `consumer`, `dead_letters`: the objects. `batches`: `offer_many`.
"""
