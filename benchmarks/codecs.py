"""Encode and decode times of the codecs, beside json, msgpack, pickle and the Java codecs.

    python -m benchmarks.codecs [--no-java] [NAME ...]

Every figure is the time of one call as a ratio to the standard library's `json` with the
equal dict (below 1 is faster), measured in the same run; "-" is where a codec does not
take the value, or no Java codec of that name came up in Redisson 4.7.0 without further
parts. A codec is one line of `codec_values.CODECS`.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import pickle
import time
import timeit
from collections.abc import Callable
from dataclasses import fields
from datetime import datetime
from decimal import Decimal
from enum import Enum
from typing import Any

import msgpack  # type: ignore[import-untyped] # it has no types

from benchmarks.codec_values import CODECS, SCHEMAS, VALUES, message_of
from benchmarks.java_codecs import JavaCodecs
from benchmarks.measure import Bench
from pyredisson.codecs import Codec, Kryo5Codec
from pyredisson.errors import CodecError

NAME = "codecs"
DEFAULTS = ["Kryo5Codec", "JsonJacksonCodec"]
Call = Callable[[], object] | None
Times = dict[str, tuple[float | None, float | None]]


def best(calls: list[Call], rounds: int) -> list[float | None]:
    """Return the best time of each call, in ns of this process.

    The rounds are short and take turns, so that on a busy machine some are undisturbed.
    """
    timers = [call and timeit.Timer(call, timer=time.process_time) for call in calls]
    numbers = [max(int(0.02 / each.timeit(20)), 1) if each else 0 for each in timers]  # in 1 ms
    found = [float("inf") if each else None for each in timers]
    for _ in range(rounds):
        for place, (timer, number) in enumerate(zip(timers, numbers, strict=True)):
            least = found[place]
            if timer is not None and least is not None:
                found[place] = min(least, timer.timeit(number) / number * 1e9)
    return found


def _plain(value: Any) -> Any:
    """Return the equal dicts and lists; a text stands for each value that JSON does not have."""
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if hasattr(value, "__dataclass_fields__"):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Enum):
        return value.name
    return str(value) if isinstance(value, (Decimal, datetime)) else value


def others(value: Any) -> dict[str, tuple[Call, Call]]:
    """Return functions that encode and decode the value with Python libraries."""
    plain = _plain(value)
    text, packed, pickled = json.dumps(plain), msgpack.packb(plain), pickle.dumps(value)
    return {
        "json": (lambda: json.dumps(plain), lambda: json.loads(text)),
        "msgpack": (lambda: msgpack.packb(plain), lambda: msgpack.unpackb(packed)),
        "pickle": (lambda: pickle.dumps(value), lambda: pickle.loads(pickled)),
    }


def ours(name: str, value: Any, read: list[bytes]) -> tuple[Call, Call]:
    """Return functions that encode and decode the value with a codec; None where it does not.

    A codec that only reads the value gets those of `read` that it takes for the value. These are
    Java's bytes, or Kryo5's, which are Kryo 4's where they hold no collection.
    """
    try:
        if name == "ProtobufCodec":
            value = message_of(value)
        codec = CODECS[name](value)
    except Exception:  # not made for such a value, or its library is missing
        return None, None
    encode: Call = None
    with contextlib.suppress(CodecError):
        read = [codec.encode(value), *read]
        encode = _encoder(codec, value)
    return encode, next(filter(None, (_decoder(codec, each, value) for each in read)), None)


def _encoder(codec: Codec[Any], value: Any) -> Call:
    return lambda: codec.encode(value)


def _decoder(codec: Codec[Any], data: bytes, value: Any) -> Call:
    with contextlib.suppress(CodecError):
        if codec.decode(data) in (value, _plain(value)):  # a dict, where no class is written
            return lambda: codec.decode(data)
    return None


def measured(value: Any, names: list[str], java: JavaCodecs | None, rounds: int) -> Times:
    """Return how long each library takes to encode and decode a value, in ns; json comes first."""
    told = Kryo5Codec(schemas=SCHEMAS).encode(value)
    rates = {name: java.rate(name, told) if java else None for name in names}
    calls = others(value)
    for name, rate in rates.items():
        calls[name] = ours(name, value, [rate.data, told] if rate else [told])
    encode = best([each[0] for each in calls.values()], rounds)
    decode = best([each[1] for each in calls.values()], rounds)
    found = dict(zip(calls, zip(encode, decode, strict=True), strict=True))
    theirs = {f"{name}, Java's": (r.encode, r.decode) for name, r in rates.items() if r}
    return {name: times for name, times in (found | theirs).items() if any(times)}


def table(title: str, found: Times) -> None:
    """Print the ratios to json."""
    print(f"\n{title:<32} {'encode':>8} {'decode':>8}")
    for name, times in found.items():
        cells = zip(times, found["json"], strict=True)
        print(f"{name:<32}", *(_cell(*each) for each in cells))


def _cell(spent: float | None, unit: float | None) -> str:
    return f"{spent / unit:>8.2f}" if spent and unit else f"{'-':>8}"


def run(bench: Bench) -> None:
    """Measure the default codecs of old and new releases; `main` measures any codec."""
    with contextlib.ExitStack() as stack:
        java = stack.enter_context(JavaCodecs.started()) if bench.java else None
        for title, value in VALUES.items():
            found = measured(value, DEFAULTS, java, 20 if bench.quick else 100)
            for place, figure in enumerate(("encode", "decode")):
                spent = {name: times[place] for name, times in found.items()}
                figures = {name: ns / 1000 for name, ns in spent.items() if ns}
                bench.record(NAME, f"{title}: {figure}", figures, unit="us", reference="json")


def main() -> None:
    """Print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these codecs")
    parser.add_argument("--no-java", action="store_true")
    arguments = parser.parse_args()
    unknown = set(arguments.names) - set(CODECS)
    if unknown:
        parser.error(f"no codec {', '.join(sorted(unknown))}")
    names = arguments.names or list(CODECS)
    with contextlib.ExitStack() as stack:
        java = None if arguments.no_java else stack.enter_context(JavaCodecs.started())
        print("The time of one call as a ratio to that of json.")
        for title, value in VALUES.items():
            table(title, measured(value, names, java, 100))


if __name__ == "__main__":
    main()
