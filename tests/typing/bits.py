"""Bit sets and HyperLogLogs, as a user's type checker sees them."""

from typing import Any, assert_type

from pyredisson import AsyncBitSet, AsyncHyperLogLog, AsyncRedisson, BitSet, HyperLogLog, Redisson
from pyredisson.codecs import LongCodec


def bit_set(client: Redisson) -> None:
    """RBitSet."""
    bits = client.get_bit_set("b")
    assert_type(bits, BitSet)
    assert_type(bits.get(1), bool)
    assert_type(bits.get([1, 2]), list[bool])
    assert_type(bits.set(1, False), bool)
    bits.set(range(5))
    bits.set_range(1, 5)
    assert_type(bits.as_bit_set(), frozenset[int])
    assert_type(bits.or_("c", "d"), int)
    assert_type(bits.increment_and_get_signed(8, 0, 1), int)
    bits.get("1.5", "2")  # type: ignore[call-overload]  # one or several indexes


def hyper_log_log(client: Redisson) -> None:
    """RHyperLogLog."""
    visitors = client.get_hyper_log_log("h", LongCodec())
    assert_type(visitors, HyperLogLog[int])
    assert_type(client.get_hyper_log_log("h"), HyperLogLog[Any])
    assert_type(visitors.add(5), bool)
    assert_type(visitors.count_with("i"), int)
    visitors.add("text")  # type: ignore[arg-type]  # not an int


async def both(client: AsyncRedisson) -> None:
    """The same with asyncio."""
    bits = client.get_bit_set("b")
    assert_type(bits, AsyncBitSet)
    assert_type(await bits.get(1), bool)
    assert_type(await bits.get([1, 2]), list[bool])
    visitors = client.get_hyper_log_log("h", LongCodec())
    assert_type(visitors, AsyncHyperLogLog[int])
    assert_type(await visitors.count(), int)
