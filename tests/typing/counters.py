"""Counters, as a user's type checker sees them."""

from datetime import timedelta
from typing import assert_type

from pyredisson import (
    AsyncAtomicDouble,
    AsyncAtomicLong,
    AsyncIdGenerator,
    AsyncRedisson,
    AtomicDouble,
    AtomicLong,
    IdGenerator,
    Redisson,
)


def atomic_long(client: Redisson) -> None:
    """RAtomicLong."""
    number = client.get_atomic_long("n")
    assert_type(number, AtomicLong)
    assert_type(number.get(), int)
    number.set(5)
    assert_type(number.increment_and_get(), int)
    assert_type(number.get_and_add(5), int)
    assert_type(number.compare_and_set(5, 6), bool)
    assert_type(number.set_if_less(5, 6), bool)
    assert_type(number.expire(timedelta(hours=1)), bool)
    number.set(1.5)  # type: ignore[arg-type]  # not an int


async def async_atomic_long(client: AsyncRedisson) -> None:
    """The same with asyncio."""
    number = client.get_atomic_long("n")
    assert_type(number, AsyncAtomicLong)
    assert_type(await number.add_and_get(5), int)
    assert_type(await number.get_and_delete(), int)


def other_numbers(client: Redisson) -> None:
    """RAtomicDouble and RIdGenerator."""
    price = client.get_atomic_double("p")
    assert_type(price, AtomicDouble)
    assert_type(price.add_and_get(1), float)
    assert_type(price.compare_and_set(0.5, 1), bool)
    ids = client.get_id_generator("i")
    assert_type(ids, IdGenerator)
    assert_type(ids.try_init(1, 100), bool)
    assert_type(ids.next_id(), int)
    ids.try_init(1)  # type: ignore[call-arg]  # both are needed


async def async_others(client: AsyncRedisson) -> None:
    """The same with asyncio."""
    assert_type(client.get_atomic_double("p"), AsyncAtomicDouble)
    ids = client.get_id_generator("i")
    assert_type(ids, AsyncIdGenerator)
    assert_type(await ids.next_id(), int)
