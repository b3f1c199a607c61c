"""RBucket: the words of each call, and the value of each reply."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pyredisson import DecodeError, EncodeError, UncertainError
from pyredisson.codecs import LongCodec, StringCodec
from pyredisson.protocol.buckets.bucket import BucketProtocol
from pyredisson.protocol.kernel.command import Operation
from tests.support.rows import each_row
from tests.unit.protocol.objects.encoding import may_be_sent_twice, words

B: BucketProtocol[str] = BucketProtocol("b", StringCodec())
Build = Callable[[], Operation[Any]]

CALLS: dict[str, tuple[Build, tuple[Any, ...]]] = {
    "get": (B.get, ("GET", "b")),
    "size": (B.size, ("STRLEN", "b")),
    "set": (lambda: B.set("v", None, keep_ttl=False), ("SET", "b", b"v")),
    "set None": (lambda: B.set(None, None, keep_ttl=False), ("DEL", "b")),
    "set None with ttl": (lambda: B.set(None, 5, keep_ttl=False), ("DEL", "b")),
    "set with ttl": (lambda: B.set("v", 5, keep_ttl=False), ("PSETEX", "b", 5, b"v")),
    "set_and_keep_ttl": (lambda: B.set("v", None, keep_ttl=True), ("SET", "b", b"v", "KEEPTTL")),
    "try_set": (lambda: B.try_set("v", None), ("SETNX", "b", b"v")),
    "try_set with ttl": (lambda: B.try_set("v", 5), ("SET", "b", b"v", "PX", 5, "NX")),
    "set_if_exists": (lambda: B.set_if_exists("v", None), ("SET", "b", b"v", "XX")),
    "set_if_exists with ttl": (
        lambda: B.set_if_exists("v", 5),
        ("SET", "b", b"v", "PX", 5, "XX"),
    ),
    "get_and_set": (lambda: B.get_and_set("v", None), ("GETSET", "b", b"v")),
    "get_and_set with ttl": (
        lambda: B.get_and_set("v", 5),
        ("buckets/get_and_set", ("b",), (b"v", 5)),
    ),
    "get_and_delete": (B.get_and_delete, ("buckets/get_and_delete", ("b",), ())),
    "compare_and_set": (
        lambda: B.compare_and_set("v", "w"),
        ("buckets/compare_and_set", ("b",), (b"v", b"w")),
    ),
    "compare_and_set to None": (
        lambda: B.compare_and_set("v", None),
        ("buckets/compare_and_delete", ("b",), (b"v", "expected")),
    ),
    "compare_and_delete unexpected": (
        lambda: B.compare_and_delete("v", unexpected=True),
        ("buckets/compare_and_delete", ("b",), (b"v", "unexpected")),
    ),
    "compare_and_set from None": (lambda: B.compare_and_set(None, "w"), ("SETNX", "b", b"w")),
    "compare_and_set of None": (lambda: B.compare_and_set(None, None), ("EXISTS", "b")),
    "get_and_expire": (lambda: B.get_and_expire(5, absolute=False), ("GETEX", "b", "PX", 5)),
    "get_and_expire_at": (lambda: B.get_and_expire(5, absolute=True), ("GETEX", "b", "PXAT", 5)),
    "get_and_clear_expire": (B.get_and_clear_expire, ("GETEX", "b", "PERSIST")),
}


@each_row("case", CALLS)
def test_the_words_of_each_call(case: str) -> None:
    build, expected = CALLS[case]
    assert words(build()) == expected


@each_row("case", CALLS)
def test_calls_that_may_be_sent_twice(case: str) -> None:
    operation = CALLS[case][0]()
    assert operation.safe is may_be_sent_twice(operation)
    assert (operation.lost is None) is operation.safe
    if operation.lost is not None:
        assert isinstance(operation.lost(OSError("gone")), UncertainError)


REPLIES: list[tuple[str, Any, Any]] = [
    ("get", b"v", "v"),
    ("get", None, None),
    ("size", 3, 3),
    ("set", b"OK", None),
    ("try_set", 0, False),
    ("try_set with ttl", b"OK", True),
    ("try_set with ttl", None, False),
    ("set_if_exists", None, False),
    ("get_and_set", b"v", "v"),
    ("get_and_set with ttl", None, None),
    ("get_and_delete", b"v", "v"),
    ("compare_and_set", 1, True),
    ("compare_and_set to None", 0, False),
    ("compare_and_set of None", 0, True),
    ("compare_and_set of None", 1, False),
    ("get_and_expire", b"v", "v"),
]


@each_row(("case", "reply", "value"), REPLIES)
def test_value_of_each_reply(case: str, reply: Any, value: Any) -> None:
    assert CALLS[case][0]().decode(reply) == value


def test_values_that_cannot_be_encoded_or_decoded() -> None:
    bucket = BucketProtocol("b", LongCodec())
    with pytest.raises(EncodeError):
        bucket.set("text", None, keep_ttl=False)  # type: ignore[arg-type]  # on purpose
    with pytest.raises(DecodeError):
        bucket.get().decode(b"text")
