"""The shell: sends operations to Redis. It is written for asyncio; `_sync` is generated from it.

`scripts/unasync.py` generates `_sync` by renaming. The rule: the shell decides nothing that a
module of `protocol/` could decide. It imports neither asyncio nor threading.

* `client`: owns the link and the jobs. `closing`: closes a client. It reports unreleased messages.
  `factories`: the `get_...` methods of a client. `health`: finds the health of a client.
* `context`: the state that all objects of a client share, with the objects that the client closes.
* `link`, `topology`, `waits`: send an operation, and return its result. `background`: runs
  background jobs.
* `objects`: the base classes. Each object family has a package of its own, named as in `protocol/`.
* `worker`: runs handlers.
"""
