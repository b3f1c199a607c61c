"""What `pyredisson.metrics` and `pyredisson.telemetry` share: the same events, names and labels.

The rule: neither a hook nor a scrape waits for Redis, or grows with the number of queues.

* `measuring`: hooks that turn events into counters and histograms.
* `gauges`: reads the counts of the client's queues for a scrape, in threads of its own.
* `labels`: the bounded names of queues.
"""
