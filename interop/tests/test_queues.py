"""Every operation of RQueue, RDeque, RBlockingQueue and RBlockingDeque, beside Java's.

Both start from the same list. Commands, keys and results are compared, and each difference is
listed with its reason.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import redis

from interop.peer.redisson import JavaClient
from interop.tests.conftest import Peers
from interop.tests.support.blocking_cases import BLOCKING, BLOCKING_DEQUE
from interop.tests.support.queue_cases import DEQUE, DRAINING, QUEUE, QueueCase
from interop.tests.support.results import of_java, of_python
from interop.tests.support.trace import CONNECTION, ENVELOPE, PROBES, Run, Spelling, record
from pyredisson import Redisson, WireFormat
from pyredisson.codecs import StringCodec
from pyredisson.protocol.kernel.names import QueueNames
from tests.support.server import RedisServer

TABLES = {
    "queue": QUEUE,
    "deque": [*QUEUE, *DEQUE],
    "blocking_queue": [*QUEUE, *DRAINING, *BLOCKING],
    "blocking_deque": [*QUEUE, *DEQUE, *DRAINING, *BLOCKING, *BLOCKING_DEQUE],
}


@pytest.fixture(scope="module")
def java_side(java: Peers, shared_server: RedisServer) -> Iterator[JavaClient]:
    with java("4.7.0").client(shared_server.url, codec="String") as client:
        yield client


@pytest.mark.parametrize(
    ("kind", "case"),
    [
        pytest.param(kind, case, id=f"{kind}-{case.id}")
        for kind, cases in TABLES.items()
        for case in cases
        if kind in (case.kinds or TABLES)
    ],
)
def test_same_commands_same_keys_same_result(
    kind: str, case: QueueCase, java_side: JavaClient, shared_server: RedisServer
) -> None:
    # A rename changes what a handle stands for, so each case has its own.
    handle = java_side.get(kind, "q", handle=case.id)

    def in_java() -> Any:
        if case.java[0] != "drainTo":
            return handle.call(*case.java)
        reply = handle.reply(*case.java)
        return reply.value.plain(), reply.out.plain()

    java = _run(shared_server, case, lambda: of_java(in_java), frozenset())
    with Redisson.from_url(shared_server.url) as redisson:
        queue = getattr(redisson, f"get_{kind}")("q", codec=StringCodec())
        python = _run(shared_server, case, lambda: of_python(lambda: case.python(queue)), PROBES)
    case.check(java, python)


def _run(
    server: RedisServer, case: QueueCase, call: Callable[[], Any], dropped: frozenset[str]
) -> Run:
    with redis.Redis(port=server.port) as raw:
        raw.flushall()
        for name, elements in {"q": case.before, **case.others}.items():
            if elements:
                raw.rpush(name, *elements)
    spelling = Spelling(QueueNames.of("q"), [], WireFormat.CURRENT, frozenset([b"4102444800000"]))
    return record(server, spelling, call, ENVELOPE | CONNECTION | dropped)


def test_a_timeout_of_0_waits_for_ever_in_java_alone(
    java_side: JavaClient, server: RedisServer
) -> None:
    queue = java_side.blocking_queue("q", handle="waits")
    waiting = queue.background("poll", 0, "SECONDS")
    with redis.Redis(port=server.port) as raw, Redisson.from_url(server.url) as redisson:
        ours = redisson.get_blocking_queue("q", codec=StringCodec())
        assert ours.poll(timeout=0) is None
        raw.rpush("q", "x")
        assert waiting.result().value.plain() == "x"


def test_each_waits_for_what_the_other_puts(java_side: JavaClient, server: RedisServer) -> None:
    with Redisson.from_url(server.url) as redisson:
        ours = redisson.get_blocking_deque("q", codec=StringCodec())
        theirs = java_side.blocking_deque("q")
        taking = theirs.background("take")
        ours.put("from Python")
        assert taking.result().value.plain() == "from Python"
        theirs.background("putFirst", "from Java").result()
        assert ours.take_last() == "from Java"
