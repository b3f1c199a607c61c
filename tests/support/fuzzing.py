"""The fuzzer of the decoders: corrupt messages, and the rule that must hold for any bytes.

The rule: a decoder returns a value, or raises a `DecodeError` with the bytes. It needs memory of a
small multiple of their length, and time that grows with the length. The encoder rejects the value,
or it writes bytes that decode to an equal value, from which it writes the same bytes again.

Tests run the fuzzer for a number of messages, `scripts/fuzz` for a number of seconds.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import re
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from pyredisson.codecs import Codec
from pyredisson.errors import DecodeError, EncodeError

CONSTANT = 2_000_000
MULTIPLE = 500
"""Bytes of memory that decoding may use: the constant, and the multiple for each message byte."""

SLOW = 0.25
SLOW_BYTE = 50e-6
"""Seconds that a message may take: for the message, and for each of its bytes."""

_EDGES = (0x00, 0x01, 0x7F, 0x80, 0xFE, 0xFF)
_LENGTHS = tuple(
    map(
        bytes.fromhex,
        (
            *("7fffffff", "ffffffff", "00ffffff", "80000000", "ffffff7f", "0000ffff"),
            *("ffffffff07", "ffffffff0f", "feffffff0f", "ffff03", "ffffffffffffffff7f"),
            *("db7fffffff", "dd7fffffff", "9a7fffffff", "ba7fffffff", "bb7fffffffffffffff"),
        ),
    )
)
_JSON = [
    each.encode()
    for each in (
        *("[", "]", "{", "}", ",", ":", '"', "\\", "1e999", "-0", "1E-400", "null", "NaN"),
        *('"@class":"java.util.HashMap",', '["java.util.ArrayList",[', '["java.lang.Long",'),
        *('["java.math.BigDecimal",1e99999999]', '"\\ud800"', "9" * 400, '"[I"', "{{", "'::"),
    )
]


def _header(small: int, limit: int, long: bytes, name: bytes) -> bytes:
    size = len(name)
    return (bytes([small + size]) if size < limit else long + bytes([size & 0xFF])) + name


def _smile(name: bytes) -> bytes:
    size = len(name)
    if size <= 64:
        return bytes([0x3F + size]) + name
    return b"\xe0" + name + b"\xfc"


# Encodings of a text: JSON, Ion, two length bytes, CBOR, MessagePack, Smile, one length byte.
_TEXTS: tuple[Callable[[bytes], bytes], ...] = (
    lambda name: b'"' + name + b'"',
    lambda name: b"'" + name + b"'",
    lambda name: len(name).to_bytes(2, "big") + name,
    lambda name: _header(0x60, 24, b"\x78", name),
    lambda name: _header(0xA0, 32, b"\xd9", name),
    _smile,
    lambda name: bytes([len(name) & 0xFF]) + name,
    lambda name: name[:-1] + bytes([name[-1] | 0x80]),  # Kryo's
)


class Finding(Exception):  # noqa: N818 - it is what the fuzzer looks for
    """A message that violates the rule; the text says how."""


@dataclass(frozen=True)
class Target:
    """A codec, messages that it decodes, and whether its errors may have a part of a message.

    `names`: classes that the fuzzer may put in place of those of a message.
    """

    name: str
    codec: Codec[Any]
    seeds: Sequence[bytes]
    wraps: bool = False
    names: Sequence[bytes] = ()


@dataclass
class Report:
    """The results of a run."""

    messages: int = 0
    decoded: int = 0
    written: int = 0
    peak: int = 0
    slowest: float = 0.0
    findings: dict[str, bytes] = field(default_factory=dict)

    def __str__(self) -> str:
        return (
            f"{self.messages} messages, {self.decoded} decoded, {self.written} written back; "
            f"peak {self.peak // 1024} KiB, slowest {self.slowest * 1000:.0f} ms"
        )


def _overwrite(draw: random.Random, data: bytearray, other: bytes) -> None:
    piece = draw.choice(_LENGTHS)
    place = draw.randrange(len(data) + 1)
    data[place : place + draw.choice((0, len(piece)))] = piece


def _flip(draw: random.Random, data: bytearray, other: bytes) -> None:
    if data:
        data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)


def _replace(draw: random.Random, data: bytearray, other: bytes) -> None:
    if data:
        edge = draw.choice((*_EDGES, draw.randrange(256)))
        data[draw.randrange(len(data))] = edge


def _cut(draw: random.Random, data: bytearray, other: bytes) -> None:
    start = draw.randrange(len(data) + 1)
    del data[start : draw.choice((start + draw.randrange(1, 9), len(data)))]


def _splice(draw: random.Random, data: bytearray, other: bytes) -> None:
    place, start = draw.randrange(len(data) + 1), draw.randrange(len(other) + 1)
    data[place : draw.choice((place, len(data)))] = other[start : start + draw.randrange(1, 200)]


def _repeat(draw: random.Random, data: bytearray, other: bytes) -> None:
    start = draw.randrange(len(data) + 1)
    piece = data[start : start + draw.randrange(1, 40)]
    data[start:start] = piece * draw.choice((1, 1, 2, 5, 40, 300))


def _insert(draw: random.Random, data: bytearray, other: bytes) -> None:
    place = draw.randrange(len(data) + 1)
    data[place:place] = draw.choice(_JSON)


def _add(draw: random.Random, data: bytearray, other: bytes) -> None:
    if data:
        place = draw.randrange(len(data))
        data[place] = (data[place] + draw.choice((-1, 1, -2, 2, 16, -16))) & 0xFF


def _swap(draw: random.Random, data: bytearray, other: bytes) -> None:
    """Replace a JSON value of this message with one of the other message."""
    mine, yours = _json_value(draw, data), _json_value(draw, other)
    if mine and yours:
        data[mine] = other[yours]


def _json_value(draw: random.Random, data: bytes | bytearray) -> slice | None:
    text = data.decode("latin-1")
    places = [each.start() for each in re.finditer(r'[\[{"\d]|true|null', text)]
    start = draw.choice(places) if places else 0
    try:
        return slice(start, json.JSONDecoder().raw_decode(text, start)[1])
    except (ValueError, RecursionError):
        return None


def rename(draw: random.Random, data: bytearray, names: Sequence[bytes]) -> None:
    """Replace the name of a class, with its length in the format of the message."""
    found = [each for each in names if each[:-1] in data]
    if not found:
        return
    old, new = draw.choice(found), draw.choice(names)
    for encode in _TEXTS:
        place = data.find(encode(old))
        if place >= 0:
            data[place : place + len(encode(old))] = encode(new)
            return


_CHANGES: tuple[Callable[[random.Random, bytearray, bytes], None], ...] = (
    *(_flip, _replace, _replace, _add, _overwrite, _cut, _splice, _repeat, _insert, _swap),
)


def messages(seeds: Sequence[bytes], seed: int, names: Sequence[bytes] = ()) -> Iterator[bytes]:
    """Yield corrupt messages without end; the same `seed` yields the same messages."""
    draw = random.Random(seed)
    while True:
        if draw.random() < 0.03:
            yield draw.randbytes(draw.randrange(80))
            continue
        data = bytearray(draw.choice(seeds))
        if names and draw.random() < 0.3:
            rename(draw, data, names)
            if draw.random() < 0.5:
                yield bytes(data)
                continue
        for _ in range(draw.choice((1, 1, 1, 2, 2, 3, 5, 8))):
            draw.choice(_CHANGES)(draw, data, draw.choice(seeds))
        yield bytes(data[:100_000])


def _without_nulls(value: Any) -> Any:
    """Remove entries of maps whose value is null, as Redisson's mapper does."""
    if isinstance(value, dict):
        return {key: _without_nulls(each) for key, each in value.items() if each is not None}
    if isinstance(value, list):
        return [_without_nulls(each) for each in value]
    if is_dataclass(value) and not isinstance(value, type):
        inner = {each.name: getattr(value, each.name) for each in fields(value)}
        return type(value), _without_nulls(inner)
    return value


# JSON has no NaN and no infinities: Jackson writes them as texts. If no class is named, Java also
# reads them as texts.
_SPELLED = re.compile(r"'(-?Infinity|NaN)'")


def same(one: Any, other: Any) -> bool:
    """Return whether two values are equal for Java.

    NaN equals NaN, and a map equals the map without its nulls. Cycles, which Python cannot compare,
    are equal if their types are.
    """
    try:
        shown, again = repr(one), repr(other)
        lost = len(_SPELLED.findall(again)) > len(_SPELLED.findall(shown))
        if lost or shown == again or one == other:
            return True
        return repr(_without_nulls(one)) == repr(_without_nulls(other))
    except RecursionError:
        return type(one) is type(other)


def _decode(target: Target, data: bytes) -> Any:
    """Return the value, or the DecodeError after a check of its attributes."""
    try:
        return target.codec.decode(data)
    except DecodeError as error:
        if not target.wraps and (error.data != data or error.codec != type(target.codec).__name__):
            raise Finding(f"the error is not of these bytes: {error.codec} {error}") from error
        str(error)
        return error
    except Exception as error:
        raise Finding(f"decode: {type(error).__name__} {error}") from error


def _seconds(target: Target, data: bytes) -> float:
    """Return the decoding time of a message, without the measurement of memory."""
    tracing = tracemalloc.is_tracing()
    tracemalloc.stop()
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        _decode(target, data)
        best = min(best, time.perf_counter() - start)
    if tracing:
        tracemalloc.start()
    return best


def examine(target: Target, data: bytes, report: Report, *, timed: bool = False) -> None:
    """Decode one message and check the rule.

    Raises:
        Finding: the message violates the rule.
    """
    report.messages += 1
    tracemalloc.reset_peak()
    before = tracemalloc.get_traced_memory()[0]
    start = time.perf_counter()
    value = _decode(target, data)
    took = time.perf_counter() - start
    peak = tracemalloc.get_traced_memory()[1] - before
    report.peak = max(report.peak, peak)
    if peak > CONSTANT + MULTIPLE * len(data):
        raise Finding(f"memory: {peak} bytes for a message of {len(data)}")
    if timed and took > SLOW + SLOW_BYTE * len(data):
        took = _seconds(target, data)
        if took > SLOW + SLOW_BYTE * len(data):
            raise Finding(f"time: {took:.1f} s for a message of {len(data)}")
    report.slowest = max(report.slowest, took)
    if isinstance(value, DecodeError):
        return
    report.decoded += 1
    try:
        written = target.codec.encode(value)
    except EncodeError:
        return
    except Exception as error:
        raise Finding(f"encode: {type(error).__name__} {error}") from error
    report.written += 1
    again = _decode(target, written)
    if not same(value, again):
        raise Finding(f"written and read: {str(value)[:200]} becomes {str(again)[:200]}")
    try:
        rewritten = target.codec.encode(again)
    except Exception as error:
        raise Finding(f"written, read and rejected: {type(error).__name__} {error}") from error
    if rewritten != written:
        raise Finding(f"written twice: {written[:200]!r} becomes {rewritten[:200]!r}")


def main(words: Sequence[str], targets: Mapping[str, Target]) -> int:
    """Fuzz the named codecs, or all; print the findings; return 1 if the fuzzer has found any."""
    parser = argparse.ArgumentParser(prog="scripts/fuzz", description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=60, help="for each codec")
    parser.add_argument("--count", type=int, default=None, help="so many messages, not seconds")
    parser.add_argument("--seed", type=int, default=None, help="the same messages again")
    parser.add_argument("codec", nargs="*", help=f"of: {', '.join(targets)}")
    options = parser.parse_args(words)
    seed = random.randrange(1 << 32) if options.seed is None else options.seed
    chosen = [each for each in targets.values() if _wanted(each.name, options.codec)]
    if not chosen:
        parser.error(f"no such codec: {options.codec}")
    sys.stdout.write(f"seed {seed}\n")
    status = 0
    for target in chosen:
        seconds = options.seconds if options.count is None else None
        report = run(target, count=options.count, seconds=seconds, seed=seed)
        sys.stdout.write(f"{target.name}: {report}\n")
        sys.stdout.flush()
        for kind, data in report.findings.items():
            status = 1
            sys.stdout.write(f"  {kind}\n    {data.hex()}\n")
    return status


def _wanted(name: str, words: Sequence[str]) -> bool:
    return not words or name in words or name.partition(" ")[0] in words


def run(
    target: Target, *, count: int | None = None, seconds: float | None = None, seed: int = 0
) -> Report:
    """Examine `count` messages, or messages for `seconds`; collect one finding of each kind.

    With `seconds`, slow messages are findings, too; tests must not depend on the clock.
    """
    report = Report()
    for data in target.seeds:  # so that the codec has made its tables and plans
        with contextlib.suppress(Finding):
            _decode(target, data)
    end = None if seconds is None else time.monotonic() + seconds
    tracemalloc.start()
    try:
        for data in messages(target.seeds, seed, target.names):
            if report.messages == count or (end is not None and time.monotonic() > end):
                break
            try:
                examine(target, data, report, timed=end is not None)
            except Finding as found:
                kind = "".join(each for each in str(found)[:60] if not each.isdigit())
                kept = report.findings.get(kind)
                if kept is None or len(data) < len(kept):
                    report.findings = {**report.findings, kind: data}
    finally:
        tracemalloc.stop()
    return report
