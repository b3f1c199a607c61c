"""A module for each contestant, run in its own environment: the task, the worker, `producer`.

`producer` is a context, asynchronous where the library is, of a function that offers the task
with a number at a time, by the call that the library documents for that.
"""
