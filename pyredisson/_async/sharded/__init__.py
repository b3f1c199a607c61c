"""One logical queue of many shards."""
