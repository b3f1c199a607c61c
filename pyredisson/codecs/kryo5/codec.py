"""The codec itself: one message, whole, with its limits and its errors."""

from __future__ import annotations

from typing import Any

from pyredisson.codecs.base import Codec
from pyredisson.codecs.limits import DEFAULT_LIMITS, Limits
from pyredisson.codecs.refusal import Refusal
from pyredisson.errors import DecodeError, EncodeError

from .reader import Reader
from .registry import Registry
from .writer import Writer

__all__ = ["Kryo5Codec"]

_NAME = "Kryo5Codec"


class Kryo5Codec(Codec[Any]):
    """Redisson's `org.redisson.codec.Kryo5Codec`, its default since 3.19.0.

    Reads and writes null, strings, boxed numbers, booleans, `byte[]`, lists, sets,
    maps, arrays of these, `BigInteger`, `BigDecimal`, `Date` and `UUID` (as since
    3.19.1), byte for byte as Java does. Which Python value stands for which class is
    told in `pyredisson.codecs.java`.

    Args:
        limits: bounds of one message.
    """

    def __init__(self, *, limits: Limits = DEFAULT_LIMITS) -> None:
        self.limits = limits
        self._registry = Registry()

    def encode(self, value: Any) -> bytes:
        """Return the bytes that Java writes for the value.

        Raises:
            EncodeError: a type that no Java class corresponds to, a number out of
                range, a null where Java has none, or nesting beyond the limit.
        """
        sink = Writer(self._registry, self.limits)
        try:
            sink.value(value)
        except Refusal as error:
            raise EncodeError(f"{_NAME}: {error}", codec=_NAME) from None
        except RecursionError:
            raise EncodeError(f"{_NAME}: nested too deep for Python", codec=_NAME) from None
        return bytes(sink.out)

    def decode(self, data: bytes) -> Any:
        """Return the value that Java wrote.

        Raises:
            DecodeError: malformed, beyond the limits, of a class that is not known
                (then with `class_name`), or with bytes left over, which Java ignores.
        """
        if len(data) > self.limits.max_bytes:
            raise self._error(f"longer than {self.limits.max_bytes} bytes", data)
        source = Reader(data, self._registry, self.limits)
        try:
            value = source.value()
        except Refusal as error:
            raise self._error(f"{error}, at byte {source.pos}", data, error.class_name) from None
        except IndexError:
            raise self._error("the message ends early", data) from None
        except RecursionError:
            raise self._error("nested too deep for Python", data) from None
        if source.pos != len(data):
            raise self._error(f"{len(data) - source.pos} bytes are left over", data)
        return value

    @staticmethod
    def _error(message: str, data: bytes, class_name: str | None = None) -> DecodeError:
        return DecodeError(message, codec=_NAME, data=data, class_name=class_name)
