"""Compression around another codec: LZ4, Snappy and Zstandard in Redisson's own frames.

* `LZ4Codec`, `LZ4CodecV2`: int32 length of the plain bytes, big-endian, then one LZ4 block.
* `LZ4Codec` before 2.10.2 and 3.5.2: an LZ4 block alone (read only).
* `LZ4CodecV2` 3.24.0 to 3.24.3: an LZ4 frame (04224d18).
* `SnappyCodec`: for each 32767 plain bytes an int32 length, then a raw Snappy block.
* `SnappyCodec` before 3.5.6: one raw Snappy block (read only).
* `SnappyCodecV2`: one raw Snappy block.
* `ZStdCodec`: int32 length of the plain bytes, then a Zstandard frame.

The decoder accepts a declared length only if the compressed bytes can expand to it, and only up to
`Limits.max_bytes`. The content must have exactly that length, and no input may be left over.
Python's and Java's compressors produce different bytes for the same content. So these codecs read
what Java wrote, but `remove` and `contains` by value do not find it.
"""

from __future__ import annotations

import struct
from abc import abstractmethod
from collections.abc import Callable
from copy import copy
from importlib import import_module
from typing import Any, ClassVar, Self

from pyredisson.errors import DecodeError, EncodeError
from pyredisson.limits import DEFAULT_LIMITS, Limits, require_limits
from pyredisson.rejection import Rejection
from pyredisson.releases import NEWEST, Number, parse_release

from .base import Codec, as_bytes, require_codec
from .compression_bounds import lz4_block_size, lz4_frame_bound, zstd_bound
from .default import default_inner_codec
from .released import fits

__all__ = ["LZ4Codec", "LZ4CodecV2", "SnappyCodec", "SnappyCodecV2", "ZStdCodec"]

_LENGTH = struct.Struct(">i")
_LZ4_RATIO = 255  # one byte of a length adds at most 255 bytes
_SNAPPY_RATIO = 32  # a copy has at most 64 bytes, and its tag at least two
_CHUNK = 32767  # the slice size of SnappyCodec.SnappyEncoder
_BARE = 0x10  # minimum first byte of an LZ4 block, which begins with a literal
_EMPTY = b"\0"  # the block of an empty value, in LZ4 and in Snappy


class _Compressed(Codec[Any]):
    """The base of the compressing codecs: the inner codec, the limits, the errors."""

    written_since: ClassVar[Number] = (0, 0, 0)
    _unwritten: str | None = None

    def __init__(self, inner: Codec[Any] | None = None, *, limits: Limits = DEFAULT_LIMITS) -> None:
        self._given = inner
        inner = default_inner_codec(None) if inner is None else inner
        self.inner = require_codec(inner, type(self).__name__)
        self.limits = require_limits(limits)
        self._cramjam = _load(type(self).__name__)

    def encode(self, value: Any) -> bytes:
        """Return the inner codec's bytes, compressed.

        Raises:
            EncodeError: the inner codec has no encoding for the value, or its bytes exceed
                `limits.max_bytes`.
        """
        plain = self.inner.encode(value)
        name = type(self).__name__
        if self._unwritten is not None:
            raise EncodeError(f"{name}: {self._unwritten}", codec=name)
        if len(plain) > self.limits.max_bytes:
            raise EncodeError(f"{name}: longer than {self.limits.max_bytes} bytes", codec=name)
        return self._pack(plain)

    def decode(self, data: bytes) -> Any:
        """Return the value in the compressed bytes.

        Raises:
            DecodeError: the bytes are not in this format, the content exceeds `limits.max_bytes` or
                does not have the declared length, or bytes are left over. The inner codec raises it
                with the decompressed bytes.
            TypeError: `data` is not bytes.
        """
        name = type(self).__name__
        data = as_bytes(data, f"{name}.decode")
        if len(data) > self.limits.max_bytes:
            message = f"longer than {self.limits.max_bytes} bytes"
            raise DecodeError(message, codec=name, data=data)
        try:
            plain = self._unpack(data)
        except (Rejection, self._cramjam.DecompressionError) as error:
            message = f"{error}{self._fitting(data)}"
            raise DecodeError(message, codec=name, data=data) from None
        return self.inner.decode(plain)

    def for_release(self, release: str) -> Self:
        """Return a copy with the inner codec for that release; see `Codec.for_release`."""
        found = copy(self)
        found.inner = self._inner_for(release)
        if parse_release(release) < self.written_since:
            found._unwritten = f"pyredisson cannot write the bytes that Redisson {release} reads"
        return found

    def _inner_for(self, release: str) -> Codec[Any]:
        given = self._given
        return default_inner_codec(release) if given is None else given.for_release(release)

    def _fitting(self, data: bytes) -> str:
        """Return a hint about releases whose format the bytes have, or an empty string."""
        return ""

    @abstractmethod
    def _pack(self, plain: bytes) -> bytes: ...

    @abstractmethod
    def _unpack(self, data: bytes) -> bytes: ...

    def _fill(self, into: Callable[..., int], data: bytes, size: int, possible: int) -> bytes:
        """Decompress to exactly `size` bytes; `possible` is the maximum that the input yields."""
        if size < 0:
            raise Rejection("a negative length")
        if size > self.limits.max_bytes:
            raise Rejection(f"{size} bytes of content; limit {self.limits.max_bytes}")
        if size > possible:
            raise Rejection(f"{len(data)} compressed bytes cannot hold the declared {size} bytes")
        plain = bytearray(size)
        written = into(data, plain)
        if written != size:
            raise Rejection(f"{written} bytes of content, not the declared {size}")
        return bytes(plain)


def _load(name: str) -> Any:
    try:
        return import_module("cramjam")
    except ImportError:
        raise ImportError(
            f"{name} needs cramjam: pip install cramjam (pyredisson's extra 'compress')"
        ) from None


def _declared_length(data: bytes) -> int:
    """Read the length in front of the compressed bytes."""
    if len(data) < _LENGTH.size:
        raise Rejection("the message ends early")
    size: int = _LENGTH.unpack_from(data)[0]
    return size


class LZ4Codec(_Compressed):
    """`org.redisson.codec.LZ4Codec`, in its format since 3.5.2: a length and an LZ4 block.

    It also reads what older releases (up to 2.10.1 and 3.5.1) wrote, if `max_bytes` is less than
    256 MiB. From 256 MiB on, a length can begin with the same byte as their blocks. Those releases
    cannot read what this codec writes.

    Args:
        inner: the codec of the values. Default: that of the release, `Kryo5Codec` since 3.19.0.
        limits: bounds of one message; `max_bytes` also limits the decompressed content.

    Raises:
        ImportError: cramjam is missing (``pip install cramjam``, the extra ``compress``).
    """

    written_since = (3, 5, 2)

    def _pack(self, plain: bytes) -> bytes:
        block = self._cramjam.lz4.compress_block(plain, store_size=False)
        return _LENGTH.pack(len(plain)) + bytes(block)

    def _unpack(self, data: bytes) -> bytes:
        into = self._cramjam.lz4.decompress_block_into
        if self._is_bare(data):
            size = lz4_block_size(data)
            return self._fill(into, data, size, size)
        size = _declared_length(data)
        block = data[_LENGTH.size :]
        return self._fill(into, block, size, len(block) * _LZ4_RATIO)

    def _is_bare(self, data: bytes) -> bool:
        """Return whether `data` has no length: its start, read as one, would exceed the limit."""
        bare = data == _EMPTY or data[:1] >= bytes([_BARE])
        return bare and self.limits.max_bytes < _BARE << 24


class LZ4CodecV2(LZ4Codec):
    """`org.redisson.codec.LZ4CodecV2` (since 3.24.0): like `LZ4Codec` from 3.25.0 on.

    Args:
        inner: the codec of the values. Default: `Kryo5Codec`.
        release: the service's Redisson release, also for an inner codec without a release of its
            own. Default: 3.25.0 or newer. 3.24.x writes LZ4 frames. In 3.24.1 and 3.24.2 they
            always hold `Kryo5Codec`'s bytes, whatever codec Java was given.
        limits: as in `LZ4Codec`.

    Raises:
        ImportError: cramjam is missing.
        ValueError: `release` is older than 3.24.0, or not a release.
    """

    def __init__(
        self,
        inner: Codec[Any] | None = None,
        *,
        release: str | None = None,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        super().__init__(inner, limits=limits)
        self._use(release)

    def _use(self, release: str | None) -> None:
        number = parse_release(NEWEST if release is None else release)
        if number < (3, 24, 0):
            raise ValueError(f"Redisson {release} has no LZ4CodecV2; it came with 3.24.0")
        self.release = release
        self._frames = number < (3, 25, 0)
        if release is None:
            self.inner = self.inner._at_least((3, 25, 0))
        else:
            self.inner = self._inner_for(release)

    def for_release(self, release: str) -> Self:
        """Return the codec for that release; see `Codec.for_release`."""
        if self.release is not None:
            return self
        found = copy(self)
        found._use(release)
        return found

    def _pack(self, plain: bytes) -> bytes:
        return bytes(self._cramjam.lz4.compress(plain)) if self._frames else super()._pack(plain)

    def _unpack(self, data: bytes) -> bytes:
        if not self._frames:
            return super()._unpack(data)
        possible = lz4_frame_bound(data)
        plain = bytearray(min(possible, self.limits.max_bytes))
        written = self._cramjam.lz4.decompress_into(data, plain)
        return bytes(plain[:written])

    def _is_bare(self, data: bytes) -> bool:
        return False

    def _fitting(self, data: bytes) -> str:
        other = copy(self)
        other._frames = not self._frames
        try:
            self.inner.decode(other._unpack(data))
        except (Rejection, DecodeError, self._cramjam.DecompressionError):
            return ""
        if other._frames:
            return fits("LZ4CodecV2", "3.24.0 to 3.24.3", "3.24.3")
        return fits("LZ4CodecV2", "3.25.0 and newer", NEWEST)


class SnappyCodecV2(_Compressed):
    """`org.redisson.codec.SnappyCodecV2` (since 3.7.3): one raw Snappy block.

    Args:
        inner: the codec of the values. Default: that of the release, `Kryo5Codec` since 3.19.0.
        limits: as in `LZ4Codec`.

    Raises:
        ImportError: cramjam is missing.
    """

    def _pack(self, plain: bytes) -> bytes:
        return bytes(self._cramjam.snappy.compress_raw(plain))

    def _unpack(self, data: bytes) -> bytes:
        size = self._cramjam.snappy.decompress_raw_len(data)
        into = self._cramjam.snappy.decompress_raw_into
        return self._fill(into, data, size, len(data) * _SNAPPY_RATIO)


class SnappyCodec(SnappyCodecV2):
    """`org.redisson.codec.SnappyCodec`, as from 3.5.6 to its removal in 4.1.0: slices.

    It also reads the single block of older releases. Such a block begins with the length of its
    content; a slice begins with the upper byte of its own length, which is zero. Those releases
    cannot read slices.

    Args:
        inner: the codec of the values. Default: that of the release, `Kryo5Codec` since 3.19.0.
        limits: as in `LZ4Codec`.

    Raises:
        ImportError: cramjam is missing.
    """

    written_since = (3, 5, 6)

    def _pack(self, plain: bytes) -> bytes:
        out = bytearray()
        for start in range(0, len(plain), _CHUNK):
            block = super()._pack(plain[start : start + _CHUNK])
            out += _LENGTH.pack(len(block)) + block
        return bytes(out)

    def _unpack(self, data: bytes) -> bytes:
        if data == _EMPTY or data[:1] > _EMPTY:
            return super()._unpack(data)
        out = bytearray()
        place = 0
        while place < len(data):
            start = place + _LENGTH.size
            place = start + _declared_length(data[place:start])
            if not start < place <= len(data):
                raise Rejection("a slice that is empty or ends after the message")
            out += super()._unpack(data[start:place])
            if len(out) > self.limits.max_bytes:
                raise Rejection(f"more than {self.limits.max_bytes} bytes of content")
        return bytes(out)


class ZStdCodec(_Compressed):
    """`org.redisson.codec.ZStdCodec` (since 3.39.0): a length and a Zstandard frame.

    Args:
        inner: the codec of the values. Default: `Kryo5Codec`, as in Java.
        limits: as in `LZ4Codec`.

    Raises:
        ImportError: cramjam is missing.
    """

    def __init__(self, inner: Codec[Any] | None = None, *, limits: Limits = DEFAULT_LIMITS) -> None:
        super().__init__(inner, limits=limits)
        self.inner = self.inner._at_least((3, 39, 0))

    def _pack(self, plain: bytes) -> bytes:
        return _LENGTH.pack(len(plain)) + bytes(self._cramjam.zstd.compress(plain))

    def _unpack(self, data: bytes) -> bytes:
        size = _declared_length(data)
        frame = data[_LENGTH.size :]
        return self._fill(self._cramjam.zstd.decompress_into, frame, size, zstd_bound(frame))
