"""Codecs by short names, and the codecs that some bytes look like.

The rule: a guess is only shown, or decodes what is only shown. What is written is encoded by the
codec that the user named, or by the default of the release.
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
"""The short names, each with Redisson's class."""

COMPRESSED = {
    "lz4": "LZ4Codec",
    "lz4v2": "LZ4CodecV2",
    "snappy": "SnappyCodec",
    "snappyv2": "SnappyCodecV2",
    "zstd": "ZStdCodec",
}
_READING = (  # those that reject what others wrote come first
    *("serialization", "smile", "ion", "msgpack", "cbor", "kryo5", "marshalling", "fst", "kryo"),
    *("json", *COMPRESSED, "string"),
)
_LIKELY = {(NAMES | COMPRESSED)[each]: each for each in _READING}


def schemas_in(file: str | Path) -> ModuleType:
    """Import the Python file that `pyredisson schema` has written.

    Raises:
        ValueError: it is no Python file, or its import fails.
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
    """Return the codec with a short name or with Redisson's name.

    Args:
        name: of `NAMES`, or `lz4`, `lz4v2`, `snappy`, `snappyv2`, `zstd`, alone or with a colon and
            the inner codec (`lz4:kryo5`).
        release: the Redisson release of the Java services.
        schemas: the Python classes of Java's classes.

    Raises:
        ValueError: there is no such codec, or the release does not have it.
    """
    outer, _, inner = name.partition(":")
    if outer.lower() in COMPRESSED:
        within = codec_named(inner, release=release, schemas=schemas) if inner else None
        found: Codec[Any] = _class(COMPRESSED[outer.lower()])(within)
    else:
        found = _made(name, schemas)
    return found if release is None else found.for_release(release)


def _made(name: str, schemas: ModuleType | None) -> Codec[Any]:
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
    """A codec that reads some bytes, by its short name, and what it reads."""

    codec: str
    value: Any


def candidates(
    data: bytes, release: str | None = None, schemas: ModuleType | None = None
) -> Iterator[Candidate]:
    """Iterate over the codecs that can read the bytes, the most likely first.

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
    """Return the name of the codec whose bytes begin like these; None if they are not typical."""
    return next(iter(_typical(data)), None)


def _in_order(data: bytes) -> Iterable[str]:
    quoted = len(data) > 1 and data[:1] == data[-1:] == b'"'  # a text in JSON
    return dict.fromkeys((*(["json"] if quoted else []), *_typical(data), *_READING))


def _typical(data: bytes) -> list[str]:
    guess = sniff(data)
    return [_LIKELY[each] for each in (guess.codec if guess else "").split() if each in _LIKELY]


_FRAMES = {b"\x04\x22\x4d\x18": "3.24.3"}
"""The first bytes of LZ4CodecV2 before 3.25.0, and its last such release."""


def _readings(
    name: str, data: bytes, release: str | None, schemas: ModuleType | None
) -> Iterator[Candidate]:
    if name not in COMPRESSED:
        yield Candidate(name, _reading(name, release, schemas).decode(data))
        return
    within = _reading(f"{name}:bytes", _FRAMES.get(data[:4], release), None).decode(data)
    if not within and name not in _typical(data):
        return  # almost any codec has such bytes
    for each in _in_order(within):
        if each not in COMPRESSED:
            with suppress(DecodeError, ImportError):
                value = _reading(each, release, schemas).decode(within)
                yield Candidate(f"{name}:{each}", value)


@lru_cache(maxsize=128)
def _reading(name: str, release: str | None, schemas: ModuleType | None) -> Codec[Any]:
    try:
        return codec_named(name, release=release, schemas=schemas)
    except ValueError:  # the release does not have it
        return codec_named(name, schemas=schemas)


class LikelyCodec(Codec[Any]):
    """Reads with the codec that the bytes look like; writes with the default of the release."""

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
        """Return the bytes of the default codec."""
        return self._default.encode(value)

    def decode(self, data: bytes) -> Any:
        """Return what the first codec reads that accepts the bytes.

        Raises:
            DecodeError: of the default codec, if none accepts them.
        """
        for each in candidates(data, self.release, self._schemas):
            return each.value
        return self._default.decode(data)
