"""What the tests of `offer_many` offer, and how they look at what became of it.

Rule: the value of an item is its place among those of the call.
"""

import redis

from pyredisson import PartialOfferError
from pyredisson.protocol.kernel.names import QueueNames
from tests.support.state import shape

NAMES = QueueNames.of("q")
LIST, SET = NAMES.delay_list, NAMES.timeout_set
HOUR = 3600
Item = tuple[str, float]


def numbers(count: int) -> list[Item]:
    """Values "0", "1", ..., whose due times go up and down."""
    return [(str(number), HOUR + number * 7919 % 1000) for number in range(count)]


def texts(count: int) -> list[str]:
    return [str(number) for number in range(count)]


def pending(raw: redis.Redis) -> list[str]:
    """The values in the order of the offers; the timeout set has the same ones."""
    found = shape(raw)
    assert sorted(found.get(LIST, [])) == sorted(found.get(SET, []))
    return found.get(LIST, [])


def parts(error: PartialOfferError, drawn: int) -> dict[str, list[int]]:
    """The places of what is stored, of what is not, and of what nobody knows."""
    found = {name: list(getattr(error, name)) for name in ("stored", "unstored", "unknown")}
    assert sorted(place for places in found.values() for place in places) == list(range(drawn))
    for places in (error.stored, error.unstored, error.unknown):
        for place, receipt in places.items():
            assert receipt.value == str(place).encode()
    return found
