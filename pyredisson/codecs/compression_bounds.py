"""The maximum content of an LZ4 or Zstandard frame, computed from its block headers alone.

In both formats, and in a bare LZ4 block, a few bytes can declare any amount of content. So these
functions read the headers before anything is allocated: the frame's header and each block's size.
The frame's end must be the end of the bytes. Sources: the LZ4 formats (frame 1.6.2, block) and RFC
8878.
"""

from __future__ import annotations

from pyredisson.rejection import Rejection

__all__ = ["lz4_block_size", "lz4_frame_bound", "zstd_bound"]

_LZ4_MAGIC = bytes.fromhex("04224d18")
_ZSTD_MAGIC = bytes.fromhex("28b52ffd")
_ZSTD_BLOCK = 128 * 1024
_ZSTD_WINDOW_LOG = 27  # the decoders' default: 128 MiB
_RLE, _COMPRESSED = 1, 2


def _number(data: bytes, at: int, size: int) -> int:
    if at + size > len(data):
        raise Rejection("the message ends early")
    return int.from_bytes(data[at : at + size], "little")


def _check_end(data: bytes, at: int) -> None:
    if at > len(data):
        raise Rejection("the message ends early")
    if at < len(data):
        raise Rejection(f"{len(data) - at} bytes are left over")


def lz4_block_size(data: bytes) -> int:
    """Return the size of the content of one LZ4 block; `data` must hold nothing else.

    Raises:
        Rejection: the block ends early.
    """
    at = size = 0
    while True:
        token = _number(data, at, 1)
        literals, at = _lz4_length(data, at + 1, token >> 4)
        size += literals
        at += literals
        if at >= len(data):
            _check_end(data, at)
            return size
        match, at = _lz4_length(data, at + 2, token & 15)
        size += match + 4


def _lz4_length(data: bytes, at: int, length: int) -> tuple[int, int]:
    """Return a length with its additional bytes, and where these end."""
    more = 255 if length == 15 else 0
    while more == 255:
        more = _number(data, at, 1)
        length += more
        at += 1
    return length, at


def lz4_frame_bound(data: bytes) -> int:
    """Return the largest possible content of one LZ4 frame; `data` must hold nothing else.

    Raises:
        Rejection: `data` is not an LZ4 frame, ends early, or has bytes after the frame.
    """
    if data[:4] != _LZ4_MAGIC:
        raise Rejection("not an LZ4 frame")
    flags = _number(data, 4, 1)
    largest = 1 << 8 + 2 * (_number(data, 5, 1) >> 4 & 7)
    at = 7 + (8 if flags & 0x08 else 0) + (4 if flags & 0x01 else 0)
    total = 0
    while size := _number(data, at, 4):
        stored = size & 0x7FFFFFFF
        at += 4 + stored + (4 if flags & 0x10 else 0)
        total += min(largest, stored if size >> 31 else stored * 255)
    _check_end(data, at + 4 + (4 if flags & 0x04 else 0))
    return total


def zstd_bound(data: bytes) -> int:
    """Return the largest possible content of one Zstandard frame; `data` must hold nothing else.

    Raises:
        Rejection: `data` is not a Zstandard frame, ends early, or has bytes after the frame; or the
            frame needs a dictionary or a window of more than 128 MiB.
    """
    if data[:4] != _ZSTD_MAGIC:
        raise Rejection("not a Zstandard frame")
    at = _zstd_blocks(data)
    total = 0
    last = 0
    while not last:
        header = _number(data, at, 3)
        last, kind, size = header & 1, header >> 1 & 3, header >> 3
        at += 3 + (1 if kind == _RLE else size)
        total += _ZSTD_BLOCK if kind == _COMPRESSED else min(size, _ZSTD_BLOCK)
    _check_end(data, at + (4 if data[4] & 0x04 else 0))
    return total


def _zstd_blocks(data: bytes) -> int:
    """Return where the blocks begin."""
    flags = _number(data, 4, 1)
    at = 5
    single = flags & 0x20
    if not single:
        if (_number(data, at, 1) >> 3) + 10 > _ZSTD_WINDOW_LOG:
            raise Rejection("a Zstandard frame with a window of more than 128 MiB")
        at += 1
    if flags & 0x03:
        raise Rejection("a Zstandard frame that needs a dictionary")
    size = flags >> 6
    return at + (1 << size if size else int(bool(single)))
