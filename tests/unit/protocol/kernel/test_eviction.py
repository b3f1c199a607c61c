"""Replies of a server which mean that it evicts keys."""

from pyredisson.protocol.checks.check import CheckProtocol
from pyredisson.protocol.kernel.eviction import QUESTION, evicting
from pyredisson.protocol.kernel.names import ConsumerNames
from tests.support.rows import each_row


@each_row(
    ("reply", "policy"),
    [
        (b"# Memory\r\nmaxmemory:0\r\nmaxmemory_policy:allkeys-lru\r\nx:1\r\n", "allkeys-lru"),
        (b"maxmemory_policy:allkeys-lfu\r\n", "allkeys-lfu"),
        (b"txt:# Memory\r\nmaxmemory_policy:allkeys-random\r\n", "allkeys-random"),
        (b"maxmemory_policy:noeviction\r\n", None),
        (b"maxmemory_policy:volatile-lru\r\n", None),
        (b"# Memory\r\n", None),
        (None, None),
    ],
)
def test_policies_that_evict_keys_without_a_time_to_live(
    reply: bytes | None, policy: str | None
) -> None:
    assert evicting(reply) == policy


def test_a_check_asks_the_server_of_the_queue() -> None:
    asked = CheckProtocol(ConsumerNames.of("q")).eviction()
    assert (asked.request(), asked.key, asked.safe) == (QUESTION, "q", True)
    assert asked.decode(b"maxmemory_policy:allkeys-lru\r\n") == "allkeys-lru"
