"""Items for tests of `offer_many`, and checks of the results.

Rule: the value of an item is its index in the call.
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
    """Return values "0", "1", ..., whose due times are not sorted."""
    return [(str(number), HOUR + number * 7919 % 1000) for number in range(count)]


def texts(count: int) -> list[str]:
    return [str(number) for number in range(count)]


def pending(raw: redis.Redis) -> list[str]:
    """Return the pending values in the order of the offers; check that both keys have them."""
    found = shape(raw)
    assert sorted(found.get(LIST, [])) == sorted(found.get(SET, []))
    return found.get(LIST, [])


def parts(error: PartialOfferError, drawn: int) -> dict[str, list[int]]:
    """Return the indexes of the items that are stored, not stored, or uncertain."""
    found = {name: list(getattr(error, name)) for name in ("stored", "unstored", "unknown")}
    assert sorted(place for places in found.values() for place in places) == list(range(drawn))
    for places in (error.stored, error.unstored, error.unknown):
        for place, receipt in places.items():
            assert receipt.value == str(place).encode()
    return found
