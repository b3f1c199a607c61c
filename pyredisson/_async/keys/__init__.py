"""RKeys: keys of any type, by name or pattern."""
