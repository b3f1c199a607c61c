"""Small helpers that do not depend on Redis.

* `error_text`: the texts of exceptions of user code.
* `lazy_names`: imports names of a package when they are first used.
* `unpicklable`: a base class of objects that cannot be pickled, with an error that explains why.
* `time_zones`: time zones by name; the only module that reads the zone files.
* `die_with_parent`: starts another program as a process that ends with its parent.
"""
