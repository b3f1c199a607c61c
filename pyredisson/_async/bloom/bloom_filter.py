"""RBloomFilter answers whether a value was added; a known share of the answers is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

from pyredisson._async.context import AsyncContext
from pyredisson._async.objects.expirable import AsyncExpirableObject
from pyredisson.codecs.base import Codec
from pyredisson.protocol.bloom.bloom_filter import BloomFilterProtocol
from pyredisson.protocol.bloom.config import BloomConfig
from pyredisson.protocol.kernel.command import Eval

V = TypeVar("V")

_Marks = Callable[[BloomConfig, Sequence[bytes]], Eval[list[bool] | None]]


class AsyncBloomFilter(AsyncExpirableObject, Generic[V]):
    """A Bloom filter that Java sees as RBloomFilter; values are compared by their encoded bytes.

    Each method may raise `ServerError`, `KeyTypeError` and `ClosedError`, and `BloomFilterError`
    if the filter is not initialized.
    """

    _kind = "a Bloom filter"

    def __init__(self, context: AsyncContext, name: str, codec: Codec[V]) -> None:
        self._codec = codec
        super().__init__(context, name)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._main_key!r} codec={self._codec!r}>"

    def _keys_of(self, name: str) -> dict[str, str]:
        return {name: "string", BloomFilterProtocol(name).config_key: "hash"}

    def _one_slot(self, name: str) -> Iterable[str]:
        return self._keys_of(name)

    def _bind(self, name: str) -> None:
        self._known: BloomConfig | None = None
        super()._bind(name)

    @property
    def codec(self) -> Codec[V]:
        """The codec of the values."""
        return self._codec

    @property
    def _protocol(self) -> BloomFilterProtocol:
        return BloomFilterProtocol(self._main_key)

    async def try_init(self, expected_insertions: int, false_probability: float) -> bool:
        """Initialize the filter, unless it is initialized (RBloomFilter.tryInit).

        Args:
            expected_insertions: the number of values that the filter is made for.
            false_probability: the share of values that were never added, from 0 to 1, for which
                `contains` wrongly returns True after `expected_insertions` values were added.

        Returns:
            False if the filter was initialized before, with the same parameters.

        Raises:
            BloomFilterError: the filter was initialized with other parameters. Nothing is changed.
            TypeError, ValueError: an argument is wrong, or the filter would have no bits, or more
                than 2**32 - 2.
        """
        config = BloomConfig.of(expected_insertions, false_probability)
        created = await self._run(self._protocol.try_init(config))
        self._known = config
        return created

    async def add(self, value: V) -> bool:
        """Add a value; return False if it, or other values with its bits, were added before."""
        return (await self._marks(self._protocol.add, [value]))[0]

    async def add_all(self, values: Iterable[V]) -> int:
        """Add values; return how many of them are new (RBloomFilter.add of a collection).

        All values are encoded before the first one is added. One script sets at most 5000 bits.
        """
        return sum(await self._marks(self._protocol.add, values))

    async def contains(self, value: V) -> bool:
        """Return False if the value was never added, True if it probably was."""
        return (await self._marks(self._protocol.contains, [value]))[0]

    async def contains_all(self, values: Iterable[V]) -> bool:
        """Return True if the filter probably contains all `values`."""
        return all(await self._marks(self._protocol.contains, values))

    async def exists(self, values: Iterable[V]) -> list[V]:
        """Return those of `values` that the filter probably contains (RBloomFilter.exists)."""
        asked = list(values)
        marks = await self._marks(self._protocol.contains, asked)
        return [value for value, found in zip(asked, marks, strict=True) if found]

    async def _marks(self, make: _Marks, values: Iterable[V]) -> list[bool]:
        data = [self._codec.encode(value) for value in values]
        marks: list[bool] = []
        while len(marks) < len(data):
            config = self._known
            if config is None:
                config = self._known = await self._config()
            some = data[len(marks) : len(marks) + config.together]
            found = await self._run(make(config, some))
            if found is None:  # a client initialized the filter anew, with other numbers
                self._known = None
            else:
                marks += found
        return marks

    async def count(self) -> int:
        """Return about how many different values were added; 2**63 - 1 if all bits are set."""
        return await self._run(self._protocol.count())

    async def _config(self) -> BloomConfig:
        return await self._run(self._protocol.config())

    async def get_expected_insertions(self) -> int:
        """Return the number of values that the filter is made for."""
        return (await self._config()).expected_insertions

    async def get_false_probability(self) -> float:
        """Return the `false_probability` with which the filter was initialized; see `try_init`."""
        return (await self._config()).false_probability

    async def get_size(self) -> int:
        """Return the number of bits."""
        return (await self._config()).size

    async def get_hash_iterations(self) -> int:
        """Return the number of bits that each value sets."""
        return (await self._config()).hash_iterations
