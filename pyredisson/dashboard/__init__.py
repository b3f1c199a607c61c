"""A dashboard of the queues of a Redis, as an ASGI application; see docs/dashboard.md.

`app` makes it. The rule: reading changes nothing, no viewer makes Redis read more than another one
has just read, and what comes from a value is never markup. Without a token, it answers to this
machine only, and changes nothing.

* `asgi`: the application. `api`: its routes. `requests`: names and bodies. `answers`: JSON, and
  what each error answers.
* `security`: hosts, sessions, CSRF, headers. `throttle`: wrong tokens. `audit`: a line for each
  action.
* `source`: a client of its own, and the threads that ask it; what has to come in time.
* `overview`: all queues, read once for all viewers. `trouble`: how bad it is, and why. `history`:
  the last minutes.
* `queue`: a queue's counts, schedules and windows. `chart`: its pending items by due time.
  `items`: pages of items, and the search in them.
* `reads`: answers the page's questions. `changes`: signs in, and runs actions. `orders`: what a
  request asks to change. `actions`: what an operator may change.
* `static/`: the page, without a build step.

Example::

    from fastapi import FastAPI
    from pyredisson import dashboard

    service = FastAPI()
    service.mount("/queues", dashboard.app("redis://127.0.0.1:6379/0"))
"""

from __future__ import annotations

try:
    import starlette as _starlette  # noqa: F401 - the error says what to install
except ImportError as error:
    raise ImportError(
        "pyredisson.dashboard needs starlette: pip install 'pyredisson[dashboard]'"
    ) from error

from pyredisson.dashboard.asgi import Dashboard, app

__all__ = ["Dashboard", "app"]
