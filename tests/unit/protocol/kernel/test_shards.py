"""Shards: the names of any queue spread evenly, and a key always has the same shard."""

import random
from collections import Counter

import pytest

from pyredisson.errors import InvalidNameError
from pyredisson.protocol.kernel.names import slot
from pyredisson.protocol.kernel.shards import MAX_SHARDS, require_spread, shard_names, shard_of
from tests.support.rows import each_row

_RANDOM = random.Random(5)
NAMES = [
    *("orders", "q", "app:mails", "tenant-17:bills", "größe", "orders:2026"),
    *("".join(_RANDOM.choices("abcxyz0189:-_.", k=_RANDOM.randrange(1, 30))) for _ in range(300)),
]


def test_the_names() -> None:
    names = shard_names("orders", MAX_SHARDS)
    assert names[:4] == ["orders:00", "orders:10", "orders:20", "orders:30"]
    assert (names[10], names[12], names[99]) == ("orders:01", "orders:21", "orders:99")
    assert len(set(names)) == MAX_SHARDS
    assert shard_names("orders", 3) == names[:3]


@each_row("name", NAMES)
def test_sixteen_shards_are_in_sixteen_parts_of_the_slots(name: str) -> None:
    parts = {slot(shard) * 16 // 16384 for shard in shard_names(name, 16)}
    assert parts == set(range(16))


@each_row(
    ("shards", "masters", "most"),
    [
        *((8, 2, 4), (8, 3, 4), (8, 4, 2)),
        *((16, 2, 8), (16, 3, 6), (16, 4, 4), (16, 6, 3)),
        *((32, 2, 16), (32, 3, 13), (32, 4, 8), (32, 6, 7)),
        *((64, 2, 32), (64, 3, 26), (64, 4, 16), (64, 6, 13)),
    ],
)
def test_no_master_has_many_more_than_its_share(shards: int, masters: int, most: int) -> None:
    for name in NAMES:
        counts = Counter(slot(shard) * masters // 16384 for shard in shard_names(name, shards))
        assert max(counts.values()) <= most, name


def test_the_shard_of_a_key_is_crc_32_of_its_bytes() -> None:
    """The hash equals ``java.util.zip.CRC32``, also for a value above 2 to the 31st."""
    assert shard_of("123456789", 16) == 0xCBF43926 % 16
    assert shard_of(b"123456789", 7) == 0xCBF43926 % 7
    assert shard_of("größe", 100) == shard_of("größe".encode(), 100)
    assert shard_of("", 16) == 0


def test_keys_spread() -> None:
    counts = Counter(shard_of(f"customer-{number}", 16) for number in range(16000))
    assert len(counts) == 16
    assert max(counts.values()) < 1.15 * min(counts.values())


def test_invalid_keys_are_rejected() -> None:
    with pytest.raises(TypeError, match="str or bytes, not 7"):
        shard_of(7, 16)  # type: ignore[arg-type]  # a number has many spellings


@pytest.mark.parametrize("shards", [0, -1, 101])
def test_too_few_or_too_many_shards_are_rejected(shards: int) -> None:
    with pytest.raises(ValueError, match=f"from 1 to 100, not {shards}"):
        shard_names("orders", shards)


@pytest.mark.parametrize(
    ("name", "shards"), [(b"orders", 16), ("orders", "16"), ("orders", 1.0), ("orders", True)]
)
def test_other_types_of_name_and_number_are_rejected(name: object, shards: object) -> None:
    with pytest.raises(TypeError, match=r"must be str|must be a whole number"):
        shard_names(name, shards)


def test_a_tag_keeps_shards_together() -> None:
    with pytest.raises(InvalidNameError, match=r"slot 105.*without") as caught:
        require_spread(shard_names("{orders}", 16))
    assert "{orders}:00" in str(caught.value)
    require_spread(shard_names("{orders}", 1))
    require_spread(shard_names("orders", 2))
