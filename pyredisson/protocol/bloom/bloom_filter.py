"""RBloomFilter: bits in one string key, and a hash `{name}:config` with the configuration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from pyredisson.errors import BloomFilterError, UncertainError
from pyredisson.protocol.bloom.config import BloomConfig, positions
from pyredisson.protocol.kernel.command import Command, Eval
from pyredisson.protocol.kernel.names import suffix_name
from pyredisson.protocol.kernel.scripts import load

__all__ = ["BloomFilterProtocol"]


def _marks(reply: Any) -> list[bool] | None:
    return None if reply is None else [each == 1 for each in reply]


@dataclass(frozen=True, slots=True)
class BloomFilterProtocol:
    """The operations of one Bloom filter; `name` is the mapped name. All values are encoded."""

    name: str

    @property
    def config_key(self) -> str:
        """The hash with the configuration."""
        return suffix_name(self.name, "config")

    def _script(self, operation: str, args: tuple[Any, ...], read: Any, *, safe: bool) -> Eval[Any]:
        keys = (self.config_key, self.name)
        lost = None if safe else partial(UncertainError, "add()", self.name)
        return Eval(load(f"bloom/{operation}"), keys, args, read, safe=safe, lost=lost)

    def _read_config(self, reply: Any) -> BloomConfig:
        return BloomConfig.read(self.config_key, reply)

    def config(self) -> Command[BloomConfig]:
        """HGETALL; raises `BloomFilterError` if there is no valid configuration."""
        return Command(("HGETALL", self.config_key), self._read_config, self.name, safe=True)

    def try_init(self, config: BloomConfig) -> Eval[bool]:
        """Store the configuration if none is stored; return whether it was stored now.

        Reading the reply raises `BloomFilterError` if a different configuration is stored.
        """

        def read(reply: Any) -> bool:
            if reply is None:
                return True
            found = self._read_config(reply)
            if found != config:
                raise BloomFilterError(
                    f"the Bloom filter {self.name!r} is initialized with other parameters: {found}"
                    f", not {config}; nothing was changed. Use its parameters, or delete() it first"
                )
            return False

        lost = partial(UncertainError, "try_init()", self.name)
        keys = (self.config_key,)
        return Eval(load("bloom/try_init"), keys, config.fields(), read, lost=lost)

    def _of_values(
        self, operation: str, config: BloomConfig, values: Sequence[bytes], *, safe: bool
    ) -> Eval[list[bool] | None]:
        bits = (at for data in values for at in positions(data, config))
        return self._script(operation, (*config[:2], *bits), _marks, safe=safe)

    def add(self, config: BloomConfig, values: Sequence[bytes]) -> Eval[list[bool] | None]:
        """Add values; return for each whether it set a new bit, so that it is certainly new.

        Return None in place of the list if the stored size or hash iterations differ from `config`.
        """
        return self._of_values("add", config, values, safe=False)

    def contains(self, config: BloomConfig, values: Sequence[bytes]) -> Eval[list[bool] | None]:
        """Return for each value whether it was probably added; False is certain.

        Return None in place of the list if the stored size or hash iterations differ from `config`.
        """
        return self._of_values("contains", config, values, safe=True)

    def count(self) -> Eval[int]:
        """Estimate the number of different values that were added.

        Reading the reply raises `BloomFilterError` if there is no valid configuration.
        """

        def read(reply: Any) -> int:
            return self._read_config(reply[0]).count(reply[1])

        return self._script("count", (), read, safe=True)
