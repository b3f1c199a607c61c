"""The `get_...` methods of a client, by family. A class is imported when its first object is made.

* `queues`: queues, delayed queues, buckets. `beside_queues`: consumers, dead letters, schedules,
  windows, poison lists. `sharded`: queues with shards.
"""
