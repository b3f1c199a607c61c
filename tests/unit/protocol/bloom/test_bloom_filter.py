"""RBloomFilter: the words of each call, and the value of each reply."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pyredisson.errors import BloomFilterError
from pyredisson.protocol.bloom.bloom_filter import BloomFilterProtocol
from pyredisson.protocol.bloom.config import BloomConfig
from pyredisson.protocol.kernel.command import Operation
from tests.support.rows import each_row
from tests.unit.protocol.objects.encoding import words

F = BloomFilterProtocol("f")
CONFIG = BloomConfig.of(1000, 0.03)
KEYS = ("{f}:config", "f")
A, HELLO = (4440, 2613, 7053, 6038, 3180), (6595, 980, 1089, 2772, 2881)
FIELDS = [b"size", b"7298", b"hashIterations", b"5"]
FIELDS += [b"expectedInsertions", b"1000", b"falseProbability", b"0.03"]
Build = Callable[[], Operation[Any]]

CALLS: dict[str, tuple[Build, tuple[Any, ...], bool]] = {
    "config": (F.config, ("HGETALL", "{f}:config"), True),
    "try_init": (
        lambda: F.try_init(CONFIG),
        ("bloom/try_init", KEYS[:1], (7298, 5, 1000, "0.03")),
        False,
    ),
    "add": (
        lambda: F.add(CONFIG, [b"a", b"hello"]),
        ("bloom/add", KEYS, (7298, 5, *A, *HELLO)),
        False,
    ),
    "contains": (
        lambda: F.contains(CONFIG, [b"hello"]),
        ("bloom/contains", KEYS, (7298, 5, *HELLO)),
        True,
    ),
    "count": (F.count, ("bloom/count", KEYS, ()), True),
}


@each_row("case", CALLS)
def test_the_words_of_each_call(case: str) -> None:
    build, expected, safe = CALLS[case]
    operation = build()
    assert words(operation) == expected
    assert operation.safe is safe


REPLIES: dict[str, tuple[Build, Any, Any]] = {
    "config": (F.config, FIELDS, CONFIG),
    "initialized": (lambda: F.try_init(CONFIG), None, True),
    "initialized before": (lambda: F.try_init(CONFIG), FIELDS, False),
    "added": (lambda: F.add(CONFIG, [b"a", b"b"]), [1, 0], [True, False]),
    "found": (lambda: F.contains(CONFIG, [b"a", b"b"]), [0, 1], [False, True]),
    "another configuration": (lambda: F.contains(CONFIG, [b"a"]), None, None),
    "count": (F.count, [FIELDS, 15], 3),
}


@each_row("case", REPLIES)
def test_each_reply(case: str) -> None:
    build, reply, expected = REPLIES[case]
    assert build().decode(reply) == expected


def test_other_parameters() -> None:
    other = F.try_init(BloomConfig.of(1000, 0.04))
    with pytest.raises(BloomFilterError, match="'f' is initialized with other parameters"):
        other.decode(FIELDS)


def test_not_initialized() -> None:
    for operation, reply in ((F.config(), []), (F.count(), [[], 0])):
        with pytest.raises(BloomFilterError, match="not initialized"):
            operation.decode(reply)
