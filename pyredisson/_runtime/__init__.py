"""What differs between threads and asyncio, as pairs of names, and how user code is called.

A pair is `x_async` and `x`, or `AsyncX` and `X`. The rule: `_async` and `_sync` import neither
asyncio nor threading, and no code tests which variant it is. A difference is a pair here or in
`_transport`.

* `concurrency`: tasks, events, locks, sleeping, clocks, randomness.
* `interrupts`: what happens when a caller is cancelled, or a signal handler raises.
* `cancelling`: functions that cancel the task of a caller.
* `iterables`: sources of items for `offer_many`, plain and asynchronous.
* `user_code`: calls hooks and functions of the user.
* `handler_calls`: how a worker calls its handler: in a thread, as a coroutine, with a time limit.
* `time_limits`: raises an exception in a thread if a call takes too long.
* `owners`: a number for each calling thread or task.
* `mappings`, `sequences`: the operators of maps and lists, which only threads have.
* `shared`: reference counting for objects with several users.
"""
