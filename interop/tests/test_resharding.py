"""Both languages offer to one queue of a cluster and take from it while its slot moves."""

import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress

import redis
from redis.exceptions import RedisError

from interop.peer import JavaError
from interop.tests.conftest import Peers
from pyredisson import Redisson
from pyredisson.codecs import StringCodec
from tests.support.faults_tools import hand_over
from tests.support.topology import RedisCluster
from tests.support.twins import PATIENCE, Started, start, until

MOVES = 2
"""There and back: each move takes a while, in which both nodes are asked for keys."""


def test_each_item_comes_once(java: Peers, cluster: RedisCluster) -> None:
    """Each acknowledged offer is taken once, by either language."""
    name = "resharded"
    with (
        java("4.7.0").client(cluster.url, mode="cluster", codec="String") as service,
        redis.RedisCluster.from_url(cluster.url) as client,
        Redisson(client, codec=StringCodec()) as redisson,
    ):
        theirs, waiting = service.delayed_queue(name), service.blocking_queue(name)
        queue = redisson.get_blocking_queue(name)
        ours = redisson.get_delayed_queue(queue)
        stopped = False
        noted: list[list[str]] = []

        def repeated(call: Callable[[int], str | None]) -> Started[list[str]]:
            found: list[str] = []
            noted.append(found)

            def run() -> list[str]:
                number = 0
                while not stopped:
                    number += 1
                    with suppress(RedisError, JavaError):
                        value = call(number)
                        found.extend([] if value is None else [value])
                    time.sleep(0.01)
                return found

            return start(run)

        def offered_here(number: int) -> str:
            ours.offer(f"python {number}", delay=0.1)
            return f"python {number}"

        def offered_there(number: int) -> str:
            theirs.call("offer", f"java {number}", 100, "MILLISECONDS")
            return f"java {number}"

        offering = [repeated(offered_here), repeated(offered_there)]
        taking = [
            repeated(lambda _: queue.poll(timeout=0.1)),
            repeated(lambda _: waiting.call("poll")),
        ]
        until(lambda: all(noted), "all offer and take")
        for _ in range(MOVES):
            hand_over(cluster, name.encode())
        stopped = True
        offered = [value for each in offering for value in each.result()]
        found = [value for each in taking for value in each.result()]
        assert {value.split()[0] for value in offered} == {"python", "java"}
        while set(offered) - set(found):
            value = queue.poll(timeout=PATIENCE)
            assert value is not None, f"missing: {set(offered) - set(found)}"
            found.append(value)
        assert max(Counter(found).values()) == 1
        assert ours.size() == queue.size() == 0
        theirs.destroy()
