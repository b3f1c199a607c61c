"""The shell: sends operations to Redis. It is written for asyncio; `_sync` is generated from it.

`scripts/unasync.py` generates `_sync` by renaming. The rule: the shell decides nothing that a table
in `protocol/` could decide. It imports neither asyncio nor threading.

* `client`: owns the link and the jobs. `closing`: closes it and reports unreleased messages.
  `factories`: its `get_...` methods. `context`: what the objects of a client share, and what the
  client closes with itself.
* `link`, `topology`, `waits`: from an operation to its result. `background`: background
  jobs.
* `objects`: the base classes. One package for each object family, named as in `protocol/`.
* `worker`: runs handlers.
"""
