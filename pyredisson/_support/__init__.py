"""Small helpers that know nothing of Redis.

* `lazy_names`: names of a package that are imported when they are first used.
* `unpicklable`: objects that belong to one process raise an error that says so when pickled.
* `time_zones`: time zones by name; the only module that reads the zone files.
* `die_with_parent`: becomes another program that never outlives its parent.
"""
