"""The same failover for both: the offers that Python loses, beside those that Java loses.

A replica is promoted a second before the Sentinels name it. Until then no client can know that, and
what the old master acknowledges is lost. Nothing is due here, so an offer that is no longer pending
is lost.
"""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

import pytest
from redis.exceptions import RedisError

from interop.peer import JavaError
from interop.tests.conftest import Clients
from pyredisson import Redisson, UncertainOfferError
from pyredisson.codecs import StringCodec
from tests.support.topology import SentinelGroup
from tests.support.twins import Started, start, until

STRINGS = StringCodec()
HOUR = 3600
AFTER = 30
"""How many offers of each must follow the notice of the new master."""


class Offering:
    """Offers one after the other until it is stopped; notes when each stored offer began."""

    def __init__(self, offer: Callable[[str], object]) -> None:
        self._offer = offer
        self.acknowledged: dict[str, float] = {}
        self.stopped = False
        self.running: Started[None] = start(self._run)

    def _run(self) -> None:
        number = 0
        while not self.stopped:
            number += 1
            began = time.time()
            with suppress(RedisError, UncertainOfferError, JavaError):
                self._offer(f"{number}")
                self.acknowledged[f"{number}"] = began
            time.sleep(0.01)

    def since(self, moment: float) -> int:
        """Return how many offers that began after a moment were acknowledged."""
        return sum(at > moment for at in list(self.acknowledged.values()))

    def lost(self, pending: list[str]) -> list[float]:
        """Return when the lost offers began."""
        return sorted(self.acknowledged[each] for each in self.acknowledged.keys() - set(pending))


@contextmanager
def python(sentinels: SentinelGroup) -> Iterator[Redisson]:
    with ExitStack() as stack:
        watchers: Any = sentinels.sentinel()
        for each in watchers.sentinels:
            stack.enter_context(each)
        client = stack.enter_context(watchers.master_for(sentinels.service_name))
        yield stack.enter_context(Redisson(client))


def test_a_planned_failover_loses_no_more_than_java(
    java_client: Clients, sentinels: SentinelGroup, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, "pyredisson")

    def news() -> float | None:
        told = [each.created for each in caplog.records if "is now the master" in each.getMessage()]
        return told[0] if told else None

    old = sentinels.master
    addresses = [f"redis://127.0.0.1:{port}" for _, port in sentinels.addresses]
    service = java_client(
        "4.7.0", *addresses, mode="sentinel", master=sentinels.service_name, codec="String"
    )
    theirs = service.delayed_queue("java")
    with python(sentinels) as redisson:
        ours = redisson.get_delayed_queue(redisson.get_queue("python", codec=STRINGS))
        offerings = [
            Offering(lambda value: ours.offer(value, delay=HOUR)),
            Offering(lambda value: theirs.call("offer", value, HOUR, "SECONDS")),
        ]
        until(lambda: all(each.since(0) > 20 for each in offerings), "both offer")
        sentinels.sentinels[0].run("SENTINEL", "FAILOVER", sentinels.service_name)
        until(lambda: news() is not None, "Python has the news")
        since = news()
        assert since is not None
        assert b"role:master" in old.run("INFO", "replication")
        until(lambda: offerings[0].since(since) > AFTER, "Python goes on")
        until(lambda: sentinels.master is not old, "all Sentinels have it")
        settled = time.time() + 2  # Java asks them once a second
        until(lambda: offerings[1].since(settled) > AFTER, "Java goes on")
        for each in offerings:
            each.stopped = True
            each.running.result()
        lost = offerings[0].lost(ours.read_all())
        java_lost = offerings[1].lost(theirs.call("readAll"))
    assert lost
    assert java_lost
    assert lost[-1] <= since
    assert java_lost[-1] > lost[0]
    window = since - lost[0]
    assert lost[-1] - java_lost[-1] < window / 4  # no client can know it; Java only asks
