"""Codecs by short names, and the codecs that some bytes look like.

The rule: a guessed codec only decodes values that are shown. The codec that the user named, or the
default of the release, encodes the values that are written.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from pyredisson import codecs
from pyredisson.codecs.base import Codec
from pyredisson.codecs.default import default_codec
from pyredisson.errors import DecodeError
from pyredisson.sniffing import sniff

__all__ = [
    "COMPRESSED",
    "NAMES",
    "Candidate",
    "LikelyCodec",
    "candidates",
    "codec_named",
    "likely_codec",
    "schemas_in",
]

NAMES = {
    "kryo5": "Kryo5Codec",
    "string": "StringCodec",
    "json": "JsonJacksonCodec",
    "typed-json": "TypedJsonJacksonCodec",
    "json3": "JsonJackson3Codec",
    "long": "LongCodec",
    "integer": "IntegerCodec",
    "double": "DoubleCodec",
    "bytes": "ByteArrayCodec",
    "msgpack": "MsgPackJacksonCodec",
    "cbor": "CborJacksonCodec",
    "smile": "SmileJacksonCodec",
    "ion": "IonJacksonCodec",
    "marshalling": "MarshallingCodec",
    "fst": "FstCodec",
    "serialization": "SerializationCodec",
    "kryo": "KryoCodec",
}
"""The short names, each with the name of Redisson's class."""

COMPRESSED = {
    "lz4": "LZ4Codec",
    "lz4v2": "LZ4CodecV2",
    "snappy": "SnappyCodec",
    "snappyv2": "SnappyCodecV2",
    "zstd": "ZStdCodec",
}
_READING = (  # codecs that reject the bytes of other codecs come first
    *("serialization", "smile", "ion", "msgpack", "cbor", "kryo5", "marshalling", "fst", "kryo"),
    *("json", *COMPRESSED, "string"),
)
_LIKELY = {(NAMES | COMPRESSED)[each]: each for each in _READING}


def schemas_in(file: str | Path) -> ModuleType:
    """Import a Python file that `pyredisson schema` has written.

    Raises:
        ValueError: the file is not a Python file, or its import fails.
    """
    path = Path(file)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ValueError(f"--schemas {file}: not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(path.stem, module)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise ValueError(f"--schemas {file}: {type(error).__name__}: {error}") from error
    return module


def codec_named(
    name: str, *, release: str | None = None, schemas: ModuleType | None = None
) -> Codec[Any]:
    """Return the codec with a name; upper and lower case are equal.

    Args:
        name: a short name or Redisson's name in `NAMES`, or a short name in `COMPRESSED`. A colon
            and the name of an inner codec may follow the latter (`lz4:kryo5`).
        release: the Redisson release of the Java services; None for the newest.
        schemas: the Python classes of Java's classes; `typed-json` needs them.

    Raises:
        ValueError: there is no such codec, the release does not have it, or `schemas` is missing.
    """
    outer, _, inner = name.partition(":")
    if outer.lower() in COMPRESSED:
        within = codec_named(inner, release=release, schemas=schemas) if inner else None
        found: Codec[Any] = _class(COMPRESSED[outer.lower()])(within)
    else:
        found = _make(name, schemas)
    return found if release is None else found.for_release(release)


def _make(name: str, schemas: ModuleType | None) -> Codec[Any]:
    known = {each.lower(): each for each in NAMES.values()} | NAMES
    full = known.get(name.lower())
    if full is None:
        raise ValueError(
            f"no codec is called {name!r}: choose {', '.join(NAMES)}, or "
            f"{', '.join(COMPRESSED)} with an inner codec, as lz4:kryo5"
        )
    if full == NAMES["typed-json"]:
        classes = [each for each in vars(schemas or codecs).values() if isinstance(each, type)]
        if schemas is None or not classes:
            raise ValueError(f"codec {name!r} needs --schemas FILE with one class")
        found: Codec[Any] = _class(full)(classes[0], schemas=schemas)
        return found
    made: Codec[Any] = _class(full)()
    return (
        made if schemas is None or not hasattr(made, "schemas") else _class(full)(schemas=schemas)
    )


def _class(name: str) -> Any:
    return getattr(codecs, name)


class Candidate(NamedTuple):
    """The short name of a codec that can decode some bytes, and the decoded value."""

    codec: str
    value: Any


def candidates(
    data: bytes, release: str | None = None, schemas: ModuleType | None = None
) -> Iterator[Candidate]:
    """Iterate over the codecs that can decode the bytes, the most likely first.

    The codecs `long`, `integer`, `double`, `bytes`, `typed-json` and `json3` are not tried.

    Args:
        data: the bytes of a value.
        release: the Redisson release of the Java services; None for the newest.
        schemas: the Python classes of Java's classes.
    """
    for name in _in_order(data):
        try:
            yield from _readings(name, data, release, schemas)
        except (DecodeError, ImportError):
            continue


def likely_codec(data: bytes) -> str | None:
    """Return the short name of the codec that the bytes look like; None if they look like none."""
    return next(iter(_typical(data)), None)


def _in_order(data: bytes) -> Iterable[str]:
    quoted = len(data) > 1 and data[:1] == data[-1:] == b'"'  # a text in JSON
    return dict.fromkeys((*(["json"] if quoted else []), *_typical(data), *_READING))


def _typical(data: bytes) -> list[str]:
    guess = sniff(data)
    return [_LIKELY[each] for each in (guess.codec if guess else "").split() if each in _LIKELY]


_FRAMES = {b"\x04\x22\x4d\x18": "3.24.3"}
"""The first bytes of LZ4CodecV2 before 3.25.0, and the last release that writes them."""


def _readings(
    name: str, data: bytes, release: str | None, schemas: ModuleType | None
) -> Iterator[Candidate]:
    if name not in COMPRESSED:
        yield Candidate(name, _reading(name, release, schemas).decode(data))
        return
    within = _reading(f"{name}:bytes", _FRAMES.get(data[:4], release), None).decode(data)
    if not within and name not in _typical(data):
        return  # bytes of many other codecs, too, decompress to an empty value
    for each in _in_order(within):
        if each not in COMPRESSED:
            with suppress(DecodeError, ImportError):
                value = _reading(each, release, schemas).decode(within)
                yield Candidate(f"{name}:{each}", value)


@lru_cache(maxsize=128)
def _reading(name: str, release: str | None, schemas: ModuleType | None) -> Codec[Any]:
    try:
        return codec_named(name, release=release, schemas=schemas)
    except ValueError:  # the release does not have this codec
        return codec_named(name, schemas=schemas)


class LikelyCodec(Codec[Any]):
    """Decodes with the most likely codec of the bytes; encodes with the default of the release."""

    def __init__(self, release: str | None = None, schemas: ModuleType | None = None) -> None:
        self.release = release
        self._schemas = schemas
        self._default = (
            default_codec(release)
            if schemas is None
            else codec_named(
                type(default_codec(release)).__name__, release=release, schemas=schemas
            )
        )

    def encode(self, value: Any) -> bytes:
        """Encode the value with the default codec."""
        return self._default.encode(value)

    def decode(self, data: bytes) -> Any:
        """Return the value of the first of `candidates`, or else of the default codec.

        Raises:
            DecodeError: the default codec cannot decode the bytes either.
        """
        for each in candidates(data, self.release, self._schemas):
            return each.value
        return self._default.decode(data)
