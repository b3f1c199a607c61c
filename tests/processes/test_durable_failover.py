"""A confirmed offer survives a crash of its master."""

from typing import Any

import pytest

from pyredisson import Durable, NotReplicatedError, Redisson
from pyredisson.codecs import StringCodec
from tests.support.topology import SentinelGroup
from tests.support.twins import Started, until


def test_confirmed_offers_are_at_the_new_master(sentinels: SentinelGroup) -> None:
    untyped: Any = sentinels.sentinel()
    client = untyped.master_for(sentinels.service_name)
    with Redisson(client, codec=StringCodec()) as redisson:
        delayed = redisson.get_delayed_queue(
            redisson.get_queue("q"), transfer=False, durable=Durable(replicas=1)
        )
        confirmed: list[str] = []

        def offer() -> None:
            try:
                while True:
                    delayed.offer(str(len(confirmed)), 3600)
                    confirmed.append(str(len(confirmed)))
            except Exception as error:
                errors.append(error)

        errors: list[Exception] = []
        offering = Started(offer)
        until(lambda: len(confirmed) > 50, "some are confirmed")
        sentinels.kill_master()
        offering.result()
        until(lambda: set(confirmed) <= set(delayed.read_all()), "they are there")
        assert len(errors) == 1
        with pytest.raises(NotReplicatedError, match="0 of 1"):
            delayed.offer("alone", 3600)
        assert "alone" in delayed.read_all()
