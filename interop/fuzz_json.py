"""Compare the JSON codecs with Java on random graphs of random classes.

`python interop/fuzz_json.py [--graphs 2000] [--release 4.7.0] [--codec NAME] [--seed N]`
makes random Java classes (generics, inheritance, records, enums with bodies) and the
Python schemas of the same, encodes random values in Python, has the real codec of the
Redisson release decode and re-encode them, and decodes and re-encodes Java's bytes in
Python. The rule: all bytes are equal, or the run fails and shows the difference.
Needs `mvn` and a JDK 17.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

from interop import jvm
from interop.random_schemas import Shapes
from interop.record_json_vectors import class_path
from pyredisson import codecs
from pyredisson.codecs.base import Codec
from pyredisson.codecs.jackson.model import Model
from pyredisson.codecs.jackson.rules import Rules
from pyredisson.codecs.java import JArray, JBigInteger, JFloat, JList, JLong, JMap, JSet
from pyredisson.codecs.java.schema import ClassSchema, collect, schema_of
from pyredisson.codecs.java.types import OBJECT, JavaType
from pyredisson.errors import CodecError, DecodeError, EncodeError
from tests.unit.codecs import shapes

TOOLS = jvm.HERE / "vectors" / "tools"
# Collections have no fields to fill, and of Flags the schema leaves out what a method computes.
NOT_MADE = {"com.example.Names", "com.example.Names$Index", "com.example.Flags"}
# What these write for an Object they read back as another class.
LOSSY = {
    *("TypedJsonJacksonCodec", "TypedJsonJackson3Codec", "CborJackson3Codec"),
    *("IonJacksonCodec", "IonJackson3Codec"),
}

ZEROS: dict[str, Any] = {"boolean": False, "char": "\0", "float": 0.0, "double": 0.0}
OUTCOMES = ("same", "refused by Java", "neither reads it", "refused here")
TEXTS = ["", "a", "order-1", "é", "你好", "😀", '"\\', "\n\t\x01", "\u2028", "@id", "x" * 70]
TEXTS += ["y" * 60, "é" * 40, "z" * 64]


class Values:
    """Random values that declared types allow."""

    def __init__(self, random: Random, shapes: Shapes, rules: Rules) -> None:
        self._random = random
        self._model = Model({s.class_name: s for s in shapes.schemas()}, rules)
        self._beans = [s for s in shapes.schemas() if s.kind != "enum"]
        self._enums = [s for s in shapes.schemas() if s.kind == "enum"]

    def root(self) -> Any:
        random = self._random
        if random.random() < 0.8:
            return self.open_bean()
        return self.list(OBJECT, 0) if random.random() < 0.5 else self.map(OBJECT, 0)

    def open_bean(self) -> Any:
        open_beans = [s for s in self._beans if not s.final and not s.abstract]
        return self.bean(self._random.choice(open_beans), OBJECT, 0)

    def list(self, element: JavaType, depth: int) -> Any:
        items = [self.of(element, depth + 1) for _ in range(self._random.randint(0, 3))]
        kind = self._random.choice(["ArrayList", "LinkedList", "Vector"])
        return items if kind == "ArrayList" else JList(f"java.util.{kind}", items)

    def map(self, value: JavaType, depth: int, key: JavaType = OBJECT) -> Any:
        count = self._random.randint(0, 3)
        entries = {}
        for _ in range(count):
            content = self.of(value, depth + 1)
            if content is not None:
                entries[self.key(key)] = content
        return JMap("java.util.LinkedHashMap", entries)

    def key(self, declared: JavaType) -> Any:
        if declared == OBJECT:
            return self._random.choice(TEXTS)
        return self.of(declared, 99, null=False)

    def bean(self, schema: ClassSchema, declared: JavaType, depth: int) -> Any:
        new: Any = schema.python.__new__
        made = new(schema.python)
        for _, field in schema.all_fields():
            zero = ZEROS.get(field.type.name, 0) if field.type.primitive else None
            object.__setattr__(made, field.attribute, zero)
        for each in self._model.properties(schema, self._model.bind(schema, declared)):
            if not each.method:
                object.__setattr__(made, each.attribute, self.of(each.type, depth + 1))
        return made

    def of(self, declared: JavaType, depth: int, null: bool = True) -> Any:
        random, name = self._random, declared.name
        rare = 0.15 if depth < 4 else 0.7 if depth < 7 else 0.97
        if null and not declared.primitive and random.random() < rare:
            return None
        if declared.dimensions:
            if (name, declared.dimensions) == ("byte", 1):
                return random.randbytes(random.randint(0, 4))
            component = declared.component
            if component.arguments:  # lost by Java's writer, yet known to its reader
                return None
            count = random.randint(0, 3)
            items = [self.of(component, depth + 1) for _ in range(count)]
            return JArray(str(JavaType(component.name, (), component.dimensions)), items)
        schema = self._model.by_name.get(name)
        if schema is not None and schema.kind == "enum":
            return random.choice(list(schema.python.__members__.values()))  # type: ignore[attr-defined] # an Enum
        if schema is not None:
            fitting = [s for s in self._beans if not s.abstract]
            fitting = [s for s in fitting if self._model.accepts(declared, s.class_name)]
            fitting = [s for s in fitting if self._model.specialises(s, declared)]
            return self.bean(random.choice(fitting), declared, depth)
        return self.jdk(declared, depth)

    def jdk(self, declared: JavaType, depth: int) -> Any:  # noqa: C901 - one line per type
        random = self._random
        short = declared.name.rpartition(".")[2]
        arguments = declared.arguments
        match short:
            case "boolean" | "Boolean":
                return random.random() < 0.5
            case "byte" | "Byte":
                return random.randint(-128, 127)
            case "short" | "Short":
                return random.randint(-(2**15), 2**15 - 1)
            case "int" | "Integer":
                return random.choice([0, 1, -1, 2**31 - 1, -(2**31), random.randint(-999, 999)])
            case "long" | "Long":
                return random.choice([0, 2**63 - 1, -(2**63), random.randint(-(2**40), 2**40)])
            case "char" | "Character":
                return random.choice('aZ0é你\x00"')
            case "float" | "Float":
                return float(random.randint(-(2**12), 2**12)) / 8
            case "double" | "Double":
                return random.randint(-(10**9), 10**9) / random.choice([1, 4, 100])
            case "String" | "CharSequence":
                return random.choice(TEXTS) + random.choice(TEXTS)
            case "BigDecimal":
                return Decimal(random.randint(-(10**20), 10**20)).scaleb(-random.randint(0, 9))
            case "BigInteger":
                return JBigInteger(random.randint(-(2**90), 2**90))
            case "Date":
                return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(
                    milliseconds=random.randint(-(10**13), 10**13)
                )
            case "UUID":
                return UUID(int=random.getrandbits(128))
            case "Number":
                return random.choice([1, 2.5, JLong(3), JFloat(0.5), Decimal("1.50")])
            case "List" | "Collection":
                return self.list(arguments[0] if arguments else OBJECT, depth)
            case "Set":
                element = arguments[0] if arguments else JavaType("java.lang.String")
                items = {self.of(element, 99) for _ in range(random.randint(0, 3))}
                return JSet("java.util.LinkedHashSet", items)
            case "Map":
                key, value = arguments if arguments else (OBJECT, OBJECT)
                return self.map(value, depth, key)
        return self.anything(depth)

    def anything(self, depth: int) -> Any:
        random = self._random
        if depth < 4 and random.random() < 0.5:
            choice = random.randrange(4)
            if choice == 0:
                return self.list(OBJECT, depth)
            if choice == 1:
                return self.map(OBJECT, depth)
            schema = random.choice([s for s in self._beans + self._enums if not s.abstract])
            return self.of(JavaType(schema.class_name), depth, null=False)
        names = ["Boolean", "Integer", "Double", "String", "BigDecimal", "BigInteger", "Date"]
        name = random.choice([*names, "UUID", "Long", "int[]", "long[]", "String[]"])
        if name == "Long":
            return JLong(random.randint(-(2**40), 2**40))
        if name.endswith("[]"):
            component = {"String[]": "java.lang.String"}.get(name, name[:-2])
            return self.of(JavaType(component, (), 1), depth, null=False)
        return self.jdk(JavaType(f"java.lang.{name}"), depth)


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
        """Compare so many graphs, half of them made in each language."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            written = []
            for each, text in self._shapes.java().items():
                written.append(folder / f"{each}.java")
                written[-1].write_text(text, "utf-8")
            path = jvm.compile_java(
                self._path, folder / "classes", [*TOOLS.glob("*.java"), *written]
            )
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
        answers = done.stdout.splitlines()
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
        try:
            ours = codec.encode(codec.decode(bytes.fromhex(own))).hex()
        except CodecError as error:
            if "lone surrogate" in str(error):  # of which Java makes a question mark
                return self._count("refused here")
            if not unread:
                return self._differ("Java made", own, f"!{error}", again)
        else:
            if ours not in {own, again} and not unread:
                return self._differ("Java made", own, ours, again)
        if carried.startswith("!"):
            return self._count("neither reads it" if unread else "same")
        try:
            value = self._carrier.decode(bytes.fromhex(carrier))[0]
        except DecodeError:  # a class that Python keeps as it came
            return self._count("same")
        try:
            ours = codec.encode(value).hex()
        except EncodeError as error:
            if not unread and "lone surrogate" not in str(error):
                return self._differ("Java carried", carried, f"!{error}")
            return self._count("refused here")
        if ours != carried:
            return self._differ("Java carried", carried, ours)
        return self._count("same")

    def _to_java(self, name: str, data: bytes, carrier: bytes, answer: str) -> None:
        again, carried = answer.split(" ")
        ours = data.hex()
        if carried != ours:
            self._differ("Python made", carried, ours)
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
                print(f"  Java reads and writes {parted(again, java)[0]}")


def parted(one: str, other: str) -> tuple[str, str]:
    """Return two messages in hex around the place where they begin to differ."""
    if one.startswith("!") or other.startswith("!"):
        return shown(one)[:2000], shown(other)[:2000]
    pairs = zip(bytes.fromhex(one), bytes.fromhex(other), strict=False)
    at = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)) // 2)
    start, end = max(0, at - 60) * 2, (at + 60) * 2
    return shown(one[start:end]), shown(other[start:end])


def shown(data: str) -> str:
    """Return bytes or an error to look at."""
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
    with tempfile.TemporaryDirectory() as name:
        path = class_path(options.release, Path(name))
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
