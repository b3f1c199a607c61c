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
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

from interop.random_schemas import Shapes
from interop.record_json_vectors import class_path
from pyredisson import codecs
from pyredisson.codecs.jackson.model import Model
from pyredisson.codecs.jackson.rules import Rules
from pyredisson.codecs.java import JArray, JBigInteger, JFloat, JList, JLong, JMap, JSet
from pyredisson.codecs.java.schema import ClassSchema
from pyredisson.codecs.java.types import OBJECT, JavaType
from pyredisson.errors import EncodeError

DRIVER = """\
import io.netty.buffer.*;
import java.io.*;
import java.nio.charset.StandardCharsets;
import org.redisson.client.codec.Codec;
import org.redisson.client.handler.State;

public class Driver {
    public static void main(String[] args) throws Exception {
        Codec codec = (Codec) Class.forName("org.redisson.codec." + args[0])
                .getConstructor().newInstance();
        BufferedReader in = new BufferedReader(
                new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        PrintStream out = new PrintStream(new BufferedOutputStream(System.out), false, "US-ASCII");
        for (String line; (line = in.readLine()) != null;) {
            try {
                ByteBuf data = Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(line));
                Object value = codec.getValueDecoder().decode(data, new State());
                ByteBuf written = codec.getValueEncoder().encode(value);
                out.println(ByteBufUtil.hexDump(written));
                written.release();
            } catch (Throwable e) {
                out.println("!" + e.toString().replaceAll("\\\\s+", " "));
            }
        }
        out.flush();
        System.exit(0);
    }
}
"""
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
            open_beans = [s for s in self._beans if not s.final and not s.abstract]
            return self.bean(random.choice(open_beans), OBJECT, 0)
        return self.list(OBJECT, 0) if random.random() < 0.5 else self.map(OBJECT, 0)

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
            object.__setattr__(made, field.attribute, 0 if field.type.primitive else None)
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


def build(folder: Path, shapes: Shapes, path: str) -> None:
    """Compile the classes and the driver."""
    sources = [folder / "Driver.java"]
    sources[0].write_text(DRIVER)
    for name, text in shapes.java().items():
        target = folder / "com" / "example" / f"{name}.java"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")
        sources.append(target)
    command = ["javac", "-nowarn", "-encoding", "UTF-8", "-cp", path, "-d", str(folder)]
    subprocess.run([*command, *map(str, sources)], check=True)


def through_java(folder: Path, path: str, codec: str, data: list[bytes]) -> Iterator[str]:
    """Return what the Java codec makes of each message."""
    command = ["java", "-Xss8m", "-cp", f"{folder}:{path}", "Driver", codec]
    text = "\n".join(each.hex() for each in data) + "\n"
    done = subprocess.run(
        command,
        input=text,
        check=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    yield from done.stdout.splitlines()


def run(options: argparse.Namespace, path: str, seed: int, graphs: int) -> int:
    """Check one set of classes; return the number of differences."""
    random = Random(seed)
    shapes = Shapes(random)
    jackson3 = "3" in options.codec
    rules = (
        Rules.jackson3(options.release, typing=True)
        if jackson3
        else Rules.jackson2(options.release, typing=True)
    )
    values = Values(random, shapes, rules)
    kind = getattr(codecs, options.codec)
    python = kind(schemas=shapes.classes(), release=options.release)
    data: list[bytes] = []
    while len(data) < graphs:
        try:
            data.append(python.encode(values.root()))
        except EncodeError as error:  # MessagePack has no such BigDecimal or BigInteger
            if options.codec != "MsgPackJacksonCodec" and "nested deeper" not in str(error):
                raise
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        build(Path(name), shapes, path)
        found = list(through_java(Path(name), path, options.codec, data))
    for ours, theirs in zip(data, found, strict=True):
        again = (
            b"" if theirs.startswith("!") else python.encode(python.decode(bytes.fromhex(theirs)))
        )
        if theirs != ours.hex() or again != ours:
            wrong += 1
            if wrong <= options.show:
                print(f"seed {seed}: Python {ours!r}")
                shown = theirs if theirs.startswith("!") else repr(bytes.fromhex(theirs))
                print(f"  Java   {shown}\n  again  {again!r}\n")
    return wrong


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
    with tempfile.TemporaryDirectory() as name:
        path = class_path(options.release, Path(name))
    seed = options.seed
    while total < options.graphs:
        graphs = min(2000, options.graphs - total)
        wrong += run(options, path, seed, graphs)
        total, seed = total + graphs, seed + 1
        print(f"{options.codec} {options.release}: {total} graphs, {wrong} differences", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
