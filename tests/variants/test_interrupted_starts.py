"""Ctrl-C while background work starts or ends leaves no work that cannot be ended.

Python raises KeyboardInterrupt where a Python function begins and where a C function returns. The
tests try each such place, one after the other.
"""

import sys
from collections.abc import Callable
from typing import Any

import pytest
import redis

from pyredisson import Redisson
from pyredisson.codecs import StringCodec
from tests.support.twins import until

ROOMS = (
    "_runtime/shared",
    "_sync/background/",
    "_sync/local_maps/copies",
    "_sync/maps/cache",
    "_sync/topics/",
)
"""The files in which each place is interrupted."""


def interrupted_at(place: int, call: Callable[[], Any], *, but: str = "") -> bool:
    """Call a function and press Ctrl-C at a place; return whether the place exists.

    Args:
        place: its number, from 1 on.
        call: the function.
        but: a function whose places, and those of the functions it calls, are left out.
    """
    left, inside = place, 0

    def note(frame: Any, event: str, _argument: object) -> None:
        nonlocal left, inside
        if frame.f_code.co_name == but and event in ("call", "return"):
            inside += 1 if event == "call" else -1
        room = any(room in frame.f_code.co_filename for room in ROOMS)
        if event in ("call", "c_return") and room and not inside:
            left -= 1
            if left == 0:
                raise KeyboardInterrupt

    sys.setprofile(note)
    try:
        call()
    except KeyboardInterrupt:
        pass
    finally:
        sys.setprofile(None)
    return left <= 0


def listen(messages: Any) -> None:
    """Subscribe to messages and unsubscribe at once."""
    with messages:
        pass


def listen_to_entries(of: Redisson) -> None:
    """Add and remove a listener of a map's entries; `destroy` ends one that was interrupted."""
    cache: Any = of.get_map_cache("m")
    try:
        cache.remove_listener(cache.add_listener(print))
    finally:
        sys.setprofile(None)
        cache.destroy()


def read_copies(of: Redisson) -> None:
    """Read from a local cached map, which then listens for changes, also after Ctrl-C."""
    cached: Any = of.get_local_cached_map("l")
    try:
        cached.get("k")
        cached.destroy()
    finally:
        sys.setprofile(None)
        cached.get("k")
        assert len(of._context.background.work) == 1
        cached.destroy()


CALLS: dict[str, Callable[[Redisson], Any]] = {
    "topic": lambda of: listen(of.get_topic("a").messages()),
    "sharded": lambda of: listen(of.get_sharded_topic("a").messages()),
    "pattern": lambda of: listen(of.get_pattern_topic("a*").messages()),
    "reliable": lambda of: listen(of.get_reliable_topic("r").messages("s", ttl=0.3)),
    "waiter": lambda of: of.get_semaphore("s").try_acquire(timeout=0.001),
    "map listener": listen_to_entries,
    "local map": read_copies,
}


@pytest.mark.parametrize("kind", CALLS)
def test_interrupted_starts_leave_no_background_work(url: str, raw: redis.Redis, kind: str) -> None:
    """The work has ended at once, or it ends with the next message or renewal."""
    # an interrupted `release` of a waiter may leave its channel subscribed, for the next waiter
    but = "release" if kind == "waiter" else ""
    with Redisson.from_url(url, codec=StringCodec()) as redisson:
        background, call, place = redisson._context.background, CALLS[kind], 1
        call(redisson)
        assert not background.work
        while interrupted_at(place, lambda: call(redisson), but=but):
            for publish in (raw.publish, raw.spublish):
                publish("a", "x")
            until(lambda: not background.work, f"nothing is left after place {place}")
            place += 1
        assert place > 30
        server: Any = raw  # redis-py returns a list
        until(
            lambda: not server.pubsub_channels() + server.pubsub_shardchannels(),
            "no channel is left",
        )
