"""ForyCodec and FuryCodec: not supported; creating one raises an error with the reason.

A codec that misreads some messages would be worse than none. Both codecs use Fory's Java-native
format, which changes with Fory's own releases (0.12 to 1.4 within Redisson 4.x) and which nothing
outside the JVM reads: the project's Python package knows only the cross-language format.
"""

from __future__ import annotations

from typing import Any, NoReturn

__all__ = ["ForyCodec", "FuryCodec"]


class ForyCodec:
    """`org.redisson.codec.ForyCodec` (since 3.52.0); not available in Python.

    Raises:
        NotImplementedError: always.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        _reject(type(self).__name__)


class FuryCodec(ForyCodec):
    """`org.redisson.codec.FuryCodec` (3.35.0 to 4.0.x); not available in Python.

    Raises:
        NotImplementedError: always.
    """


def _reject(name: str) -> NoReturn:
    raise NotImplementedError(
        f"{name} is not supported: its bytes are Fory's Java-native format, which differs "
        "between Fory's releases and which only the JVM reads. Let the Java side use "
        "Kryo5Codec (Redisson's default), JsonJacksonCodec or ProtobufCodec for this queue. "
        "If it needs its codec for other objects, pass the queue another one: "
        "redisson.getBlockingQueue(name, new Kryo5Codec())."
    )
