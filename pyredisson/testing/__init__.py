"""Tests of a user's program: a server with a clock that a test moves, fake messages, a fake queue.

The rule: on the server of a test, the scripts are those of production, and only the time is moved.
A function that gets a message or a queue as an argument can also be tested without a server.

* `server`: the server. `clock`: its clock, with `shift.lua`. `_proxy` and `clock.lua`: show the
  moved time to clients. `arrivals`: transfers and schedules after the clock has moved.
* `plugin`: the fixtures of pytest, from the extra `pyredisson[pytest]`.
* `messages`: messages without a queue. `offers`: a delayed queue that only records offers.

docs/testing.md shows how to use it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyredisson._support.lazy_names import lazily

if TYPE_CHECKING:
    from pyredisson.testing.clock import Clock
    from pyredisson.testing.messages import AsyncFakeMessage, Call, FakeMessage
    from pyredisson.testing.offers import AsyncOfferRecorder, Offered, OfferRecorder
    from pyredisson.testing.server import RedissonServer

__all__ = [
    "AsyncFakeMessage",
    "AsyncOfferRecorder",
    "Call",
    "Clock",
    "FakeMessage",
    "OfferRecorder",
    "Offered",
    "RedissonServer",
]

__getattr__, __dir__ = lazily(
    globals(),
    {
        ".clock": ("Clock",),
        ".messages": ("AsyncFakeMessage", "Call", "FakeMessage"),
        ".offers": ("AsyncOfferRecorder", "OfferRecorder", "Offered"),
        ".server": ("RedissonServer",),
    },
)
