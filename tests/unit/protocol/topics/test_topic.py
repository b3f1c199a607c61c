"""RTopic and its kinds: the words of each call, and the value of each reply."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pyredisson.codecs import LongCodec, StringCodec
from pyredisson.errors import EncodeError, UncertainError
from pyredisson.protocol.kernel.command import Command
from pyredisson.protocol.topics.message import MissedMessages
from pyredisson.protocol.topics.topic import TopicProtocol, active_topics
from tests.support.rows import each_row

T = TopicProtocol("news", StringCodec())
SHARDED = TopicProtocol("news", StringCodec(), sharded=True)
Build = Callable[[], Command[Any]]

CALLS: dict[str, tuple[Build, tuple[Any, ...], bool]] = {
    "publish": (lambda: T.publish("v"), ("PUBLISH", "news", b"v"), False),
    "publish sharded": (lambda: SHARDED.publish("v"), ("SPUBLISH", "news", b"v"), False),
    "subscribers": (T.count_subscribers, ("PUBSUB", "NUMSUB", "news"), True),
    "sharded subscribers": (SHARDED.count_subscribers, ("PUBSUB", "SHARDNUMSUB", "news"), True),
    "active topics": (lambda: active_topics("n*"), ("PUBSUB", "CHANNELS", "n*"), True),
}


@each_row("case", CALLS)
def test_the_words_of_each_call(case: str) -> None:
    build, expected, safe = CALLS[case]
    command = build()
    assert command.request() == expected
    assert command.safe is safe


REPLIES: list[tuple[str, Any, Any]] = [
    ("publish", 2, 2),
    ("subscribers", [b"news", 3], 3),
    ("sharded subscribers", [b"news", 0], 0),
    ("active topics", [b"news", b"n\xff"], ["news", "n�"]),
]


@pytest.mark.parametrize(("case", "reply", "value"), REPLIES)
def test_each_reply(case: str, reply: Any, value: Any) -> None:
    assert CALLS[case][0]().decode(reply) == value


def test_a_lost_reply() -> None:
    lost = T.publish("v").lost
    assert lost is not None
    error = lost(OSError("reset"))
    assert isinstance(error, UncertainError)
    assert error.key == "news"
    assert str(error).startswith("no reply to publish of 'news' (reset)")


def test_unencodable_message_is_rejected() -> None:
    with pytest.raises(EncodeError):
        TopicProtocol("news", LongCodec()).publish("text")  # type: ignore[arg-type]  # on purpose


def test_text_of_missed_messages() -> None:
    assert str(MissedMessages("news")) == "its subscription was interrupted"
    assert str(MissedMessages("news", 2)) == "its buffer was full, 2 of the oldest were dropped"
