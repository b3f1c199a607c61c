"""Small helpers that do not depend on Redis.

* `error_text`: the texts of exceptions of user code.
* `lazy_names`: imports names of a package at their first use.
* `unpicklable`: a base class of objects that cannot be pickled; the error explains why.
* `time_zones`: time zones by name; the only module that reads the zone files.
* `die_with_parent`: starts another program as a process that ends with its parent.
"""
