"""RBitSet on a real server: stored bytes and returned bits."""

import random
from typing import Any

import pytest
import redis

from pyredisson import AsyncBitSet, AsyncRedisson, KeyTypeError, UncertainError
from tests.support.proxy import FaultProxy


@pytest.fixture
def bits(redisson: AsyncRedisson) -> AsyncBitSet:
    """The bit set ``b``."""
    return redisson.get_bit_set("b")


async def test_single_bits(bits: AsyncBitSet, raw: redis.Redis) -> None:
    assert not await bits.get(3)
    assert not await bits.set(3)
    assert raw.get("b") == b"\x10"
    assert await bits.set(3, False)
    await bits.set([1, 2, 9])
    assert await bits.get([1, 3, 9, 1000]) == [True, False, True, False]
    assert (await bits.cardinality(), await bits.length(), await bits.size()) == (3, 10, 16)
    assert await bits.as_bit_set() == {1, 2, 9}
    assert await bits.to_byte_array() == b"\x60\x40"
    await bits.set((1, 2), False)
    assert await bits.as_bit_set() == {9}
    await bits.set_bit_set([0, 17])
    assert await bits.as_bit_set() == {0, 17}
    await bits.clear()
    assert not raw.exists("b")
    assert await bits.as_bit_set() == set()
    assert (await bits.length(), await bits.to_byte_array()) == (0, b"")
    assert repr(bits) == f"<{type(bits).__name__} 'b'>"


async def test_ranges_of_bits(bits: AsyncBitSet) -> None:
    await bits.set_range(16, 20)
    assert await bits.to_byte_array() == b"\0\0\xf0"
    await bits.clear_range(17, 19)
    assert await bits.as_bit_set() == {16, 19}
    await bits.set_range(5, 70_000)
    assert await bits.cardinality() == 70_000 - 5
    assert await bits.length() == 70_000
    await bits.clear_range(7, 70_000)
    assert await bits.as_bit_set() == {5, 6}


async def test_length_depends_on_last_bit(bits: AsyncBitSet, raw: Any) -> None:
    rng = random.Random(7)
    for _ in range(60):
        last, zeros = rng.randrange(5000), rng.randrange(100)
        raw.delete("b")
        for each in (last, *(rng.randrange(last + 1) for _ in range(rng.randrange(5)))):
            raw.setbit("b", each, 1)
        raw.append("b", bytes(zeros))
        assert await bits.length() == last + 1
    raw.set("b", bytes(9))
    assert await bits.length() == 0


async def test_and_or_xor_and_not_of_bit_sets(bits: AsyncBitSet, redisson: AsyncRedisson) -> None:
    other = redisson.get_bit_set("c")
    await bits.set([0, 1])
    await other.set([1, 2, 9])
    assert await bits.or_("c") == 2
    assert await bits.as_bit_set() == {0, 1, 2, 9}
    await bits.xor("c")
    assert await bits.as_bit_set() == {0}
    await bits.not_()
    assert await bits.as_bit_set() == {*range(1, 16)}
    await bits.and_("c")
    assert await bits.as_bit_set() == {1, 2, 9}


async def test_integers_in_bit_set(bits: AsyncBitSet) -> None:
    assert await bits.set_signed(8, 8, -5) == 0
    assert await bits.get_signed(8, 8) == -5
    assert await bits.get_unsigned(8, 8) == 251
    assert await bits.increment_and_get_signed(8, 8, -124) == 127, "it wraps around"
    assert await bits.set_unsigned(4, 0, 15) == 0
    assert await bits.increment_and_get_unsigned(4, 0, 2) == 1
    with pytest.raises(ValueError, match="value must be from 0 to 15"):
        await bits.set_unsigned(4, 0, 16)


async def test_key_of_another_type_is_rejected(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    raw.rpush("l", "a")
    with pytest.raises(KeyTypeError, match="'l' should hold a string but holds a list"):
        await redisson.get_bit_set("l").set(1)


async def test_lost_reply_repeats_read_but_not_write(proxy: FaultProxy, raw: redis.Redis) -> None:
    async with AsyncRedisson.from_url(f"redis://127.0.0.1:{proxy.port}/0") as redisson:
        bits = redisson.get_bit_set("b")
        await bits.set(1)
        proxy.lose_reply_to(b"SETBIT")
        with pytest.raises(UncertainError, match="no reply to SETBIT of 'b'"):
            await bits.set(2)
        proxy.lose_reply_to(b"BITCOUNT")
        assert await bits.cardinality() == 2
