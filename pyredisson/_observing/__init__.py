"""What `pyredisson.metrics` and `pyredisson.telemetry` share: the same events, names and labels.

The rule: a hook does not wait for Redis. A scrape waits for a bounded time, and reads a bounded
number of queues for each client.

* `measuring`: hooks that turn events into counters and histograms.
* `gauges`: reads the counts of the client's queues for a scrape, in its own threads.
* `labels`: the names of queues as a bounded number of labels.
"""
