"""The shell that sends operations to Redis: written by hand for asyncio, and `_sync` made from it.

`scripts/unasync.py` makes `_sync` by renaming. The rule: the shell decides nothing that a table of
`protocol/` could decide, and knows neither asyncio nor threading.

* `client`: owns the link and the jobs; `closing` ends it and reports what is left. `factories`: its
  `get_...` methods. `context`: what the objects of a client share, and what is closed with it.
* `link`, `topology`, `waits`: from an operation to its result. `background`: jobs.
* `objects` and one room an object family, named as in `protocol/`. `worker`: runs handlers.
"""
