"""Compare the Jackson codecs with Java on random graphs of random classes, both ways.

`python -m interop.vectors.fuzz_json [--graphs 2000] [--release 4.7.0] [--codec NAME] [--seed N]`
makes random Java classes (generics, inheritance, records, enums with bodies) and the Python schemas
of the same. Java's own generator (`vectors/tools/JsonMaker.java`) makes half of the values: Python
decodes Java's bytes and encodes the same again, or what Java itself makes of them. Python makes the
other half: Java decodes Python's bytes and encodes the same again. Each value also travels in a
carrier, the JSON of the first codec, and both must write the same bytes of the carried value. So
codecs that lose something are compared, too. Java's refusals are counted; any other difference
fails the run and is shown. Needs `mvn` and a JDK 17 or newer (JDK 17 writes some doubles longer
than needed; the generator leaves those out there).
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from interop.vectors import jvm
from interop.vectors.json_values import Values
from interop.vectors.random_schemas import Shapes
from interop.vectors.record_json_vectors import artifacts
from pyredisson import codecs
from pyredisson.codecs.base import Codec
from pyredisson.codecs.jackson.rules import Rules
from pyredisson.errors import CodecError, DecodeError, EncodeError
from pyredisson.java.schema import schema_of
from pyredisson.java.schemas import collect
from tests.unit.codecs import shapes

TOOLS = jvm.HERE / "tools"
# Collections have no fields to fill, and of the others a method computes what is in JSON.
NOT_MADE = {
    *("com.example.Names", "com.example.Names$Index"),
    *("com.example.Flags", "com.example.Capitals$Below"),
}
# What these write for an Object they read back as another class.
LOSSY = {
    *("TypedJsonJacksonCodec", "TypedJsonJackson3Codec", "CborJackson3Codec"),
    *("IonJacksonCodec", "IonJackson3Codec"),
}

LOST = "lone surrogate"  # of which Java makes a question mark
OUTCOMES = ("same", "refused by Java", "unread by Java", "refused here")


class Run:
    """One set of classes with both codecs."""

    def __init__(self, options: argparse.Namespace, path: str, seed: int) -> None:
        self.seed = seed
        self._options = options
        self._random = Random(seed)
        self._shapes = Shapes(self._random)
        self._path = path
        self.counts = dict.fromkeys(OUTCOMES, 0)
        self.differences = 0
        own = [each for each in vars(shapes).values() if isinstance(each, type)]
        own = [each for each in own if schema_of(each) is not None]
        self._classes = [*self._shapes.classes(), *own]
        self._schemas = collect(self._classes)
        self._carrier = codecs.JsonJacksonCodec(
            schemas=self._classes, release=options.release, strict=False, unknown="error"
        )
        self._codecs: dict[str, Codec[Any]] = {}

    def codec(self, class_name: str) -> Codec[Any]:
        """Return the Python codec for messages of a Java class."""
        name = self._options.codec
        typed = name.startswith("Typed")
        key = class_name if typed else ""
        if key not in self._codecs:
            kind: Any = getattr(codecs, name)
            more: dict[str, Any] = {"schemas": self._classes, "release": self._options.release}
            if not typed and ("3" not in name or name == "JsonJackson3Codec"):
                more["strict"] = False
            first = [self._schemas[class_name].python] if typed else []
            self._codecs[key] = kind(*first, **more)
        return self._codecs[key]

    def both_ways(self, graphs: int) -> None:
        """Compare some graphs, half of them made in each language."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            written = []
            for each, text in self._shapes.java().items():
                written.append(folder / f"{each}.java")
                written[-1].write_text(text, "utf-8")
            path = jvm.compile_java(self._path, [*TOOLS.glob("*.java"), *written])
            beans = [each for each in self._schemas if each not in NOT_MADE]
            command = jvm.java(
                path, "JsonEcho", self._options.codec, *beans, options=["-Xss8m", *jvm.OPENS]
            )
            made = [f"make {self.seed * 1_000_000 + n}" for n in range(graphs // 2)]
            values = self._values(graphs - len(made))
            taken = [f"take {name} {data.hex()} {carrier.hex()}" for name, data, carrier in values]
            done = subprocess.run(
                command,
                input="\n".join([*made, *taken]) + "\n",
                check=True,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                encoding="utf-8",
            )
        answers = done.stdout.rstrip("\n").split("\n")  # texts of errors have line separators
        for answer in answers[: len(made)]:
            self._from_java(answer)
        for value, answer in zip(values, answers[len(made) :], strict=True):
            self._to_java(*value, answer)

    def _values(self, count: int) -> list[tuple[str, bytes, bytes]]:
        """Return classes, bytes and carriers of values made here."""
        jackson3 = "3" in self._options.codec
        release = self._options.release
        rules = (Rules.jackson3 if jackson3 else Rules.jackson2)(release, typing=True)
        maker = Values(self._random, self._shapes, rules)
        found: list[tuple[str, bytes, bytes]] = []
        while len(found) < count:
            typed = self._options.codec.startswith("Typed")
            value = maker.open_bean() if typed else maker.root()
            schema = schema_of(type(value))
            name = schema.class_name if schema is not None else "java.lang.Object"
            try:
                found.append((name, self.codec(name).encode(value), self._carrier.encode([value])))
            except EncodeError as error:  # MessagePack has no such BigDecimal or BigInteger
                if self._options.codec != "MsgPackJacksonCodec" and "nested" not in str(error):
                    raise
        return found

    def _from_java(self, answer: str) -> None:
        if answer.startswith("!"):
            raise RuntimeError(answer)
        name, own, again, carrier, carried = answer.split(" ")
        if own.startswith("!"):
            return self._count("refused by Java")
        codec = self.codec(name if name in self._schemas else "java.lang.Object")
        unread = again.startswith("!")
        ours = tried(lambda: codec.encode(codec.decode(bytes.fromhex(own))))
        if LOST in ours:
            return self._count("refused here")
        if not unread and ours not in {own, again}:
            return self._differ("Java made", own, ours, again)
        if carried.startswith("!"):
            return self._count("unread by Java" if unread else "same")
        try:
            value = self._carrier.decode(bytes.fromhex(carrier))[0]
        except DecodeError:  # a class that Python keeps as it came
            return self._count("same")
        ours = tried(lambda: codec.encode(value))
        if LOST in ours or (unread and ours.startswith("!")):
            return self._count("refused here")
        if ours != carried:
            return self._differ("Java carried", carried, ours)
        return self._count("same")

    def _to_java(self, name: str, data: bytes, carrier: bytes, answer: str) -> None:
        again, carried = answer.split(" ")
        ours = data.hex()
        if carried != ours:
            self._differ("Python made", carried, ours)
        elif again.startswith("!") and self._options.codec.startswith("Typed"):
            self._count("unread by Java")  # an object of a subclass, whose fields shadow others
        elif again.startswith("!") or (self._options.codec not in LOSSY and again != ours):
            self._differ("Python made, Java read", again, ours)
        else:
            self._count("same")

    def _count(self, outcome: str) -> None:
        self.counts[outcome] += 1

    def _differ(self, way: str, java: str, python: str, again: str = "") -> None:
        self.differences += 1
        if self.differences <= self._options.show:
            one, other = parted(java, python)
            print(f"seed {self.seed}, {way}:\n  Java   {one}\n  Python {other}")
            if again:
                one, other = parted(again, python)
            print(f"  Java reads and writes {one}\n  where Python has      {other}")


def tried(work: Callable[[], bytes]) -> str:
    """Return the bytes in hex, or "!" and why they are refused."""
    try:
        return work().hex()
    except CodecError as error:
        return f"!{error}"


def parted(one: str, other: str) -> tuple[str, str]:
    """Return two messages in hex around the place where they begin to differ."""
    if one.startswith("!") or other.startswith("!"):
        return shown(one)[:2000], shown(other)[:2000]
    pairs = zip(bytes.fromhex(one), bytes.fromhex(other), strict=False)
    at = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)) // 2)
    start, end = max(0, at - 60) * 2, (at + 60) * 2
    return shown(one[start:end]), shown(other[start:end])


def shown(data: str) -> str:
    """Return bytes or an error as a text to print."""
    return data if data.startswith("!") else repr(bytes.fromhex(data))


def main() -> int:
    """Run what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graphs", type=int, default=2000)
    parser.add_argument("--release", default="4.7.0")
    parser.add_argument("--codec", default="JsonJacksonCodec")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=3)
    options = parser.parse_args()
    total = wrong = 0
    counts = dict.fromkeys(OUTCOMES, 0)
    path = jvm.class_path(options.release, artifacts(options.release))
    for seed in range(options.seed, options.seed + -(-options.graphs // 2000)):
        graphs = min(2000, options.graphs - total)
        run = Run(options, path, seed)
        run.both_ways(graphs)
        total, wrong = total + graphs, wrong + run.differences
        counts = {each: counts[each] + run.counts[each] for each in OUTCOMES}
        told = ", ".join(f"{number} {each}" for each, number in counts.items() if number)
        line = f"{options.codec} {options.release}: {total} graphs, {wrong} differences ({told})"
        print(line, flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
