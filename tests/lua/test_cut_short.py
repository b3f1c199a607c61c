"""A check finds truncated records; one missing byte is enough."""

from typing import Any

import pytest

from pyredisson.protocol.checks.check import CheckProtocol, Pair
from pyredisson.protocol.checks.halves import HalvesProtocol
from pyredisson.protocol.kernel.names import ConsumerNames

N = ConsumerNames.of("q")
HALVES = HalvesProtocol(N)
PAIRS = CheckProtocol(N).pairs()
REASON = b'{"reason": "why"}'


def headed(data: bytes, length: int = len(REASON)) -> bytes:
    """Return a dead letter: the length of its reason, the reason, the record."""
    return length.to_bytes(4, "big") + REASON + data


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: str(pair.records))
def test_check_finds_records_that_are_too_short(raw: Any, pair: Pair) -> None:
    sizes = {
        b"short": bytes(pair.least - 1),
        b"exact": bytes(pair.least),
        b"longer": bytes(pair.least + 1),
    }
    records = {name: headed(data) if pair.headed else data for name, data in sizes.items()}
    if pair.headed:
        records |= {
            b"no length": b"\0\0\0",
            b"only a length": b"\0\0\0\0",
            b"a longer reason": headed(bytes(pair.least), len(REASON) + 1),
            b"a shorter reason": headed(bytes(pair.least), len(REASON) - 1),
        }
    raw.hset(pair.records, mapping=records)
    raw.zadd(pair.times, dict.fromkeys(records, 2**52))
    short = [name for name in records if name not in {b"exact", b"longer", b"a shorter reason"}]
    for action in ("look", "repair"):
        call = HALVES.cut_short(action, pair, list(records)).fallback()
        assert raw.execute_command(*call) == short
    left = set(records) - set(short)
    assert set(raw.hkeys(pair.records)) == set(raw.zrange(pair.times, 0, -1)) == left
    assert raw.lrange(N.queue.poison, 0, -1) == [records[name] for name in short if records[name]]
