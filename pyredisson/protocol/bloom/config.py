"""The configuration of a Bloom filter, and the positions of a value's bits.

`RedissonBloomFilter` of 3.19.3 to 4.7.0 has the same configuration and computes the same positions.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, log, ulp
from typing import Any, NamedTuple

from pyredisson.errors import BloomFilterError
from pyredisson.protocol.kernel.highway_hash import hash128
from pyredisson.protocol.kernel.number_text import double_text

__all__ = ["BloomConfig", "positions"]

_LARGEST = 2**32 - 2
_TOGETHER = 5000
_WORD, _POSITIVE = 2**64 - 1, 2**63 - 1


class BloomConfig(NamedTuple):
    """The configuration that `try_init` stores.

    Attributes:
        size: the number of bits.
        hash_iterations: the number of bits that each value sets; some can have the same position.
        expected_insertions: the number of values that the filter is made for.
        false_probability: of the values that were never added, the share that a filter with
            `expected_insertions` values reports as added.
    """

    size: int
    hash_iterations: int
    expected_insertions: int
    false_probability: float

    @classmethod
    def of(cls, expected_insertions: int, false_probability: float) -> BloomConfig:
        """Compute the size and the hash iterations, and return the configuration.

        Raises:
            TypeError, ValueError: an argument has a wrong type or is out of range, or the filter
                would have no bit, or more than 2**32 - 2 bits.
        """
        if isinstance(expected_insertions, bool) or not isinstance(expected_insertions, int):
            raise TypeError(
                f"expected_insertions must be a whole number, not {expected_insertions!r}"
            )
        if not 0 < expected_insertions <= _POSITIVE:
            raise ValueError(
                f"expected_insertions must be from 1 to 2**63 - 1, not {expected_insertions}"
            )
        double_text(false_probability, "false_probability")
        if not 0 <= false_probability <= 1:
            raise ValueError(f"false_probability must be from 0 to 1, not {false_probability!r}")
        share = -log(max(false_probability, ulp(0.0)))  # Java also replaces 0
        size = int(expected_insertions * share / (log(2) * log(2)))
        if not 0 < size <= _LARGEST:
            raise ValueError(
                f"a Bloom filter has 1 to {_LARGEST} bits, but expected_insertions="
                f"{expected_insertions} and false_probability={false_probability!r} need {size}"
            )
        iterations = max(1, floor(size / expected_insertions * log(2) + 0.5))
        return cls(size, iterations, expected_insertions, float(false_probability))

    @classmethod
    def read(cls, key: str, reply: Sequence[bytes]) -> BloomConfig:
        """Read the fields and values of the configuration's hash.

        Raises:
            BloomFilterError: the hash does not exist, or is not a valid configuration.
        """
        if not reply:
            raise BloomFilterError(
                f"the Bloom filter of {key!r} is not initialized: call try_init() first"
            )
        fields = dict(zip(reply[::2], reply[1::2], strict=True))
        try:
            size, iterations, insertions, probability = (fields[name] for name in _FIELDS)
            valid = (size + iterations + insertions).isdigit()  # so Lua reads the same numbers
            config = cls(int(size), int(iterations), int(insertions), float(probability))
        except (KeyError, ValueError):
            valid = False
        if not (valid and config.hash_iterations and 0 < config.size <= _LARGEST):
            raise BloomFilterError(
                f"{key!r} is not the configuration of a Bloom filter: {fields}; another object "
                "uses this name, or it is damaged"
            )
        return config

    def fields(self) -> tuple[Any, ...]:
        """Return the values of the fields to store, in Redisson's order."""
        return (*self[:3], double_text(self.false_probability, "false_probability"))

    @property
    def together(self) -> int:
        """The maximum number of values that one script adds or looks for."""
        return max(1, _TOGETHER // self.hash_iterations)

    def count(self, bits: int) -> int:
        """Return the likely number of added values if `bits` bits are set.

        If all bits are set, return 2**63 - 1.
        """
        if bits >= self.size:
            return _POSITIVE  # as Java does
        return floor(-self.size / self.hash_iterations * log(1 - bits / self.size) + 0.5)


_FIELDS = (b"size", b"hashIterations", b"expectedInsertions", b"falseProbability")


def positions(data: bytes, config: BloomConfig) -> list[int]:
    """Return the positions of the bits of an encoded value."""
    first, second = hash128(data)
    found, at = [], first
    for turn in range(config.hash_iterations):
        found.append((at & _POSITIVE) % config.size)
        at = at + (first if turn % 2 else second) & _WORD
    return found
