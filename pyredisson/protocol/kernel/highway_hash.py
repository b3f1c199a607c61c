"""HighwayHash with Redisson's key (`org.redisson.misc.Hash`, 3.19.3 to 4.7.0).

Bloom filters compute bit positions from the hash. Locks of map keys have it in their names, and
local caches have it in their messages.  The steps are the steps of the published algorithm.  The
byte shuffle of the algorithm, the "zipper merge", is one call `order.translate(data)`: the order of
the bytes is the text, and the data is the table.
"""

from __future__ import annotations

from base64 import b64encode
from struct import Struct

__all__ = ["hash128", "hash_bytes", "hash_name"]

_WORD, _HALF = 2**64 - 1, 2**32 - 1
_KEY = (0x9E3779B97F4A7C15, 0xF39CC0605CEDC834, 0x1082276BF3A27251, 0xF86C6A11D0C18E95)
_MUL0 = (0xDBE6D5D5FE4CCE2F, 0xA4093822299F31D0, 0x13198A2E03707344, 0x243F6A8885A308D3)
_MUL1 = (0x3BD39E10CB0EF593, 0xC0ACF169B5F18A8C, 0xBE5466CF34E90C6C, 0x452821E638D01377)
_HALF_ZIPPER = (3, 12, 2, 5, 14, 1, 15, 0, 11, 4, 10, 13, 9, 6, 8, 7)
_ZIPPER = bytes((*_HALF_ZIPPER, *(at + 16 for at in _HALF_ZIPPER)))
_WORDS = Struct("<4Q")
_TABLE = Struct("<4Q224x")
_BIG_ENDIAN = Struct(">2Q")

_Words = tuple[int, ...]
_State = tuple[_Words, _Words, _Words, _Words]


def _swap(word: int) -> int:
    return word >> 32 | (word & _HALF) << 32


_START: _State = (
    tuple(each ^ key for each, key in zip(_MUL0, _KEY, strict=True)),
    tuple(each ^ _swap(key) for each, key in zip(_MUL1, _KEY, strict=True)),
    _MUL0,
    _MUL1,
)


def _update(state: _State, packet: _Words) -> _State:
    """Mix a packet of four words into the state; with loops this takes twice as long."""
    (a0, a1, a2, a3), (b0, b1, b2, b3), (m0, m1, m2, m3), (n0, n1, n2, n3) = state
    p0, p1, p2, p3 = packet
    b0, b1 = b0 + m0 + p0 & _WORD, b1 + m1 + p1 & _WORD
    b2, b3 = b2 + m2 + p2 & _WORD, b3 + m3 + p3 & _WORD
    m0, m1 = m0 ^ (b0 & _HALF) * (a0 >> 32), m1 ^ (b1 & _HALF) * (a1 >> 32)
    m2, m3 = m2 ^ (b2 & _HALF) * (a2 >> 32), m3 ^ (b3 & _HALF) * (a3 >> 32)
    a0, a1, a2, a3 = a0 + n0 & _WORD, a1 + n1 & _WORD, a2 + n2 & _WORD, a3 + n3 & _WORD
    n0, n1 = n0 ^ (a0 & _HALF) * (b0 >> 32), n1 ^ (a1 & _HALF) * (b1 >> 32)
    n2, n3 = n2 ^ (a2 & _HALF) * (b2 >> 32), n3 ^ (a3 & _HALF) * (b3 >> 32)
    z0, z1, z2, z3 = _WORDS.unpack(_ZIPPER.translate(_TABLE.pack(b0, b1, b2, b3)))
    a0, a1, a2, a3 = a0 + z0 & _WORD, a1 + z1 & _WORD, a2 + z2 & _WORD, a3 + z3 & _WORD
    z0, z1, z2, z3 = _WORDS.unpack(_ZIPPER.translate(_TABLE.pack(a0, a1, a2, a3)))
    b0, b1, b2, b3 = b0 + z0 & _WORD, b1 + z1 & _WORD, b2 + z2 & _WORD, b3 + z3 & _WORD
    return (a0, a1, a2, a3), (b0, b1, b2, b3), (m0, m1, m2, m3), (n0, n1, n2, n3)


def _rotated(word: int, count: int) -> int:
    """Rotate both halves of a word to the left."""
    low, high = word & _HALF, word >> 32
    low = (low << count | low >> 32 - count) & _HALF
    return ((high << count | high >> 32 - count) & _HALF) << 32 | low


def _finish(state: _State, rest: bytes) -> _State:
    """Mix the last 1 to 31 bytes into the state."""
    count = len(rest)
    tail = rest[count & ~3 :]
    packet = bytearray(32)
    packet[: count & ~3] = rest[: count & ~3]
    if count & 16:
        packet[28:] = rest[-4:]
    elif tail:
        packet[16:19] = tail[0], tail[len(tail) >> 1], tail[-1]
    v0, v1, mul0, mul1 = state
    v0 = tuple(word + (count << 32 | count) & _WORD for word in v0)
    v1 = tuple(_rotated(word, count) for word in v1)
    return _update((v0, v1, mul0, mul1), _WORDS.unpack(packet))


def hash128(data: bytes) -> tuple[int, int]:
    """Return the two words of the 128-bit hash, unsigned."""
    state = _START
    whole = len(data) & ~31
    for packet in _WORDS.iter_unpack(data[:whole]):
        state = _update(state, packet)
    if whole < len(data):
        state = _finish(state, data[whole:])
    for _ in range(6):
        a0, a1, a2, a3 = state[0]
        state = _update(state, (_swap(a2), _swap(a3), _swap(a0), _swap(a1)))
    v0, v1, mul0, mul1 = state
    return v0[0] + mul0[0] + v1[2] + mul1[2] & _WORD, v0[1] + mul0[1] + v1[3] + mul1[3] & _WORD


def hash_bytes(data: bytes) -> bytes:
    """Return the hash as 16 bytes, as messages of local caches have it."""
    return _BIG_ENDIAN.pack(*hash128(data))


def hash_name(data: bytes) -> str:
    """Return the hash in unpadded base64, as the names of locks of map keys have it."""
    return b64encode(hash_bytes(data))[:-2].decode()
