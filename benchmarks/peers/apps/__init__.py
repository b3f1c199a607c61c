"""A module for each contestant, run in its own environment: the task, the worker, `producer`.

`producer` is a context, asynchronous where the library is. It yields a function that offers the
task with a number, due at a time, by the call that the library documents for that.
"""
