"""Where a key lives: one server, a Sentinel's master, a cluster's node."""
