"""RReliableTopic: the words of each call, and the value of each reply."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pyredisson.codecs import StringCodec
from pyredisson.errors import RedissonError, UncertainError
from pyredisson.protocol.kernel.command import Operation
from pyredisson.protocol.topics.reliable_topic import (
    Entry,
    ReliableTopicProtocol,
    require_subscriber,
)
from tests.support.rows import each_row
from tests.unit.protocol.objects.encoding import words

T = ReliableTopicProtocol("t", StringCodec())
TIMES, OLDER = "{t}:timeout", "{t}:subscribers"
Build = Callable[[], Operation[Any]]

CALLS: dict[str, tuple[Build, tuple[Any, ...], bool]] = {
    "publish": (lambda: T.publish("v"), ("topics/publish", ("t", OLDER), (b"v",)), False),
    "subscribe": (
        lambda: T.subscribe("s", 5),
        ("topics/subscribe", ("t", TIMES, OLDER), ("s", 5, "0-0")),
        True,
    ),
    "subscribe again": (
        lambda: T.subscribe("s", 5, "7-1"),
        ("topics/subscribe", ("t", TIMES, OLDER), ("s", 5, "7-1")),
        True,
    ),
    "read": (
        lambda: T.read("7-1", 2.0),
        ("XREAD", "COUNT", 100, "BLOCK", 2000, "STREAMS", "t", "7-1"),
        True,
    ),
    "advance": (
        lambda: T.advance("s", "7-1"),
        ("topics/advance", ("t", TIMES), ("s", "7-1")),
        True,
    ),
    "renew": (lambda: T.renew("s", 5), ("topics/renew", (TIMES,), ("s", 5)), True),
    "unsubscribe": (
        lambda: T.unsubscribe("s"),
        ("topics/unsubscribe", ("t", TIMES), ("s",)),
        True,
    ),
    "count": (T.count_subscribers, ("topics/count_subscribers", ("t",), ()), True),
    "size": (T.size, ("XLEN", "t"), True),
}


@each_row("case", CALLS)
def test_the_words_of_each_call(case: str) -> None:
    build, expected, safe = CALLS[case]
    operation = build()
    assert words(operation) == expected
    assert operation.safe is safe


REPLIES: list[tuple[str, Any, Any]] = [
    ("publish", 2, 2),
    ("subscribe", b"7-1", "7-1"),
    ("read", None, []),
    (
        "read",
        [[b"t", [[b"7-1", [b"m", b"v"]], [b"8-0", [b"other", b"w"]]]]],
        [Entry("7-1", b"v"), Entry("8-0", b"")],
    ),
    ("advance", 1, True),
    ("advance", 0, False),
    ("renew", 0, False),
    ("unsubscribe", 1, True),
    ("count", 3, 3),
    ("size", 3, 3),
]


@each_row(("case", "reply", "value"), REPLIES)
def test_each_reply(case: str, reply: Any, value: Any) -> None:
    assert CALLS[case][0]().decode(reply) == value


@pytest.mark.parametrize("case", ["publish", "subscribe"])
def test_an_older_layout_is_rejected(case: str) -> None:
    with pytest.raises(RedissonError, match=r"has subscribers of Redisson 3\.21\.0 or older"):
        CALLS[case][0]().decode(None)


def test_a_lost_reply() -> None:
    lost = T.publish("v").lost
    assert lost is not None
    assert isinstance(lost(OSError("reset")), UncertainError)


def test_a_short_wait_is_not_endless() -> None:
    assert T.read("0-0", 0.0).request()[4] == 1


@pytest.mark.parametrize("name", ["", b"s", 5])
def test_names_that_are_rejected(name: object) -> None:
    with pytest.raises(TypeError, match="subscriber must be a name or None"):
        require_subscriber(name)
    assert require_subscriber(None) is None
    assert require_subscriber("s") == "s"
