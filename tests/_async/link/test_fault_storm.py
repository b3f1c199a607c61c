"""10,000 items through connections that break all the time: each arrives once.

The consumers move each element to another list in one step on the server. So the test can also
count elements whose reply was lost.
"""

import random
from collections import Counter
from itertools import count

import redis
from redis.exceptions import RedisError

from pyredisson import AsyncRedisson
from pyredisson.codecs import StringCodec
from tests._async.delayed.fault_offers import surely
from tests.support.faults_tools import Repeatedly
from tests.support.server import RedisServer
from tests.support.twins import run_together_async

ITEMS, PRODUCERS, CONSUMERS = 10_000, 4, 4


async def test_broken_connections_lose_and_double_nothing(
    server: RedisServer, raw: redis.Redis
) -> None:
    """The server closes all connections many times, during offers, transfers and takes."""
    rng, offered, done = random.Random(5), list[int](), list[int]()
    kills = worked = waited = 0
    async with AsyncRedisson.from_url(
        server.url, codec=StringCodec(), safety_interval=1, response_timeout=5
    ) as redisson:
        queue = redisson.get_blocking_queue("q")
        delayed = redisson.get_delayed_queue(queue)

        async def produce(first: int) -> int:
            uncertain = 0
            for number in count(first, PRODUCERS):
                if number >= ITEMS and uncertain > 3:  # this happens on any machine, at some time
                    break
                uncertain += await surely(delayed, f"{number}", 2 + rng.random() * 2)
                offered.append(number)
            done.append(first)
            return uncertain

        async def consume() -> int:
            failed = 0
            while True:
                try:
                    value = await queue.poll_last_and_offer_first_to("taken", timeout=0.5)
                    over = value is None and len(done) == PRODUCERS
                    if over and raw.llen("taken") >= len(offered):
                        return failed
                except (RedisError, OSError):
                    failed += 1

        def kill() -> None:
            """Kill connections, but only after some work, even on a slow machine."""
            nonlocal kills, worked, waited
            work, waited = len(offered) + admin.llen("taken"), waited + 1
            if work - worked >= 50 or waited >= 20:
                worked, waited, kills = work, 0, kills + 1
                for kind in ("normal", "pubsub"):
                    admin.client_kill_filter(_type=kind, skipme=True)

        with server.client() as admin, Repeatedly(kill, pause=0.01):
            results = await run_together_async(
                *[lambda first=first: produce(first) for first in range(PRODUCERS)],
                *[consume for _ in range(CONSUMERS)],
            )
        assert sum(results[:PRODUCERS]) > 10
        assert kills > 50
        assert await delayed.size() == await queue.size() == 0
        taken = Counter(raw.lrange("taken", 0, -1))
        assert taken == Counter(b"%d" % number for number in offered)
