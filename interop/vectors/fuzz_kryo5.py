"""Random objects through Java's `Kryo5Codec` and pyredisson's, both ways, byte for byte.

    python -m interop.vectors.fuzz_kryo5 --count 50000 --seed 1 --release 4.7.0

Java makes half of the objects: Python must decode Java's bytes and encode the same again. Python
makes the other half: Java must decode Python's bytes and encode the same again. Objects that Java
itself cannot write (its type arguments shift, codecs of Kryo do that) are counted, and Python must
refuse what Java cannot read. Java's HashMaps were filled by put, so they must come as a dict that
is written in that order. Since 3.36.0 there are values of Java serialization in them. With
`--references` values are in several places.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import Any

from interop.peer.build import OPTIONS
from interop.vectors import jvm
from interop.vectors.fuzz_serialized import settled
from interop.vectors.fuzz_values import Maker
from pyredisson.codecs import Kryo5Codec
from pyredisson.codecs.kryo5.releases import Release
from pyredisson.errors import CodecError, EncodeError
from pyredisson.java.schema import schema_of
from tests.unit.codecs import shapes

TOOLS = jvm.HERE / "tools"
ROOTS = (
    *["Wide", "Extras", "Generics", "Bound", "Person", "Leaf", "Wild", "Tree", "OrderTask"],
    *["Outer", "Box", "Pair", "StringCrate", "ListCrate", "SubCrate", "Labeled", "Strasse"],
    *["Texts", "MoreTexts", "NoTexts", "YetNoTexts"],
)
BATCH = 250


class Difference(Exception):  # noqa: N818 - it is what the program looks for
    """The two codecs disagree."""


def started(path: str, *words: str) -> subprocess.Popen[str]:
    """Start the echo program."""
    return subprocess.Popen(
        jvm.java(path, "Echo", *words, options=[*jvm.OPENS, *OPTIONS]),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


class Java:
    """The echo program."""

    def __init__(
        self,
        release: str,
        codec: tuple[str, ...] = ("Kryo5Codec",),
        libraries: Iterable[jvm.Artifact] = (),
        *,
        references: bool = False,
    ) -> None:
        jars = jvm.class_path(release, libraries)
        path = jvm.compile_java(jars, TOOLS.glob("*.java"))
        self.references = references
        words = ["references"] if references else []
        self.serialized: Release | None = None
        if codec == ("Kryo5Codec",) and Release(release).has("3.36.0"):
            words.append("serialized")
            self.serialized = Release(release)
        self.process = started(path, *codec, *words)

    @classmethod
    def on(cls, path: str) -> Java:
        """Return the program on a class path, with Kryo5Codec."""
        java = cls.__new__(cls)
        java.references, java.serialized = False, None
        java.process = started(path, "Kryo5Codec")
        return java

    def ask(self, lines: list[str]) -> list[str]:
        """Send lines; return an answer for each."""
        sink, source = self.process.stdin, self.process.stdout
        assert sink is not None
        assert source is not None
        answers = []
        for start in range(0, len(lines), 20):  # not more at once than the pipes hold
            part = lines[start : start + 20]
            sink.write("".join(f"{line}\n" for line in part))
            sink.flush()
            answers += [source.readline().rstrip("\n") for _ in part]
        return answers

    def close(self) -> None:
        """End the program."""
        with self.process as process:  # leaving it closes the pipes and waits
            assert process.stdin is not None


def from_java(java: Java, codec: Kryo5Codec, seeds: list[int]) -> Iterator[str]:
    """Yield "same", "refused by Java" or "refused here" for objects made in Java."""
    names = [ROOTS[seed % len(ROOTS)] for seed in seeds]
    schemas = [schema_of(getattr(shapes, name)) for name in names]
    lines = [f"make {each.class_name} {n}" for each, n in zip(schemas, seeds, strict=True) if each]
    for line, answer in zip(lines, java.ask(lines), strict=True):
        if answer.startswith("!"):
            yield "refused by Java"
            continue
        try:
            value = codec.decode(bytes.fromhex(answer))
            again = codec.encode(value).hex()
        except CodecError as error:
            # A number hides from Java that a list has an element of another class than declared.
            hidden = java.references and isinstance(error, EncodeError) and "is not" in str(error)
            if hidden or java.ask([f"echo {answer}"])[0].startswith("!"):
                yield "refused here"
                continue
            raise Difference(f"{line}: {error}\n{answer}") from error
        if again != answer:
            raise Difference(f"{line}:\nJava   {answer}\nPython {again}\n{value}")
        if "JMap('java.util.HashMap'" in repr(value):
            raise Difference(f"{line}: Python has another order of a fresh HashMap\n{value}")
        yield "same"


def to_java(java: Java, codec: Kryo5Codec, seeds: list[int]) -> Iterator[str]:
    """Yield "same" or "refused here" for objects made here."""
    sent: list[tuple[int, Any, str]] = []
    for seed in seeds:
        maker = Maker(seed, shared=java.references, serialized=java.serialized)
        value = maker.root(getattr(shapes, ROOTS[seed % len(ROOTS)]))
        try:
            data = codec.encode(value)
        except EncodeError as error:
            if "is not" not in str(error) and "is no " not in str(error):
                raise Difference(f"{seed}: {error}\n{value}") from error
            yield "refused here"
            continue
        if codec.encode(codec.decode(data)) != data:
            raise Difference(f"{seed}: decoded and encoded to others than {data.hex()}")
        sent.append((seed, value, data.hex()))
    answers = java.ask([f"echo {data}" for _, _, data in sent])
    for (seed, value, told), answer in zip(sent, answers, strict=True):
        if settled(answer) != settled(told):
            raise Difference(f"{seed}:\nPython {told}\nJava   {answer}\n{value}")
        yield "same"


def run(
    release: str, count: int, seed: int, tolerance: int = 0, *, references: bool = False
) -> dict[str, int]:
    """Run `count` objects, half each way; return how many ended in each way."""
    codec = Kryo5Codec(schemas=shapes, release=release, references=references)
    found: dict[str, int] = {}
    differences = 0
    with closing(Java(release, references=references)) as java:
        for start in range(seed, seed + count // 2, BATCH):
            seeds = list(range(start, min(start + BATCH, seed + count // 2)))
            for way, run_way in (("Java to Python", from_java), ("Python to Java", to_java)):
                try:
                    for outcome in run_way(java, codec, seeds):
                        key = f"{way}: {outcome}"
                        found[key] = found.get(key, 0) + 1
                except Difference as error:
                    differences += 1
                    print(way, str(error)[:3000], sep=": ", file=sys.stderr)
                    if differences > tolerance:
                        raise
    return found


def main() -> None:
    """Run as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--release", default="4.7.0")
    parser.add_argument("--references", action="store_true", help="each object once (3.36.0)")
    options = parser.parse_args()
    try:
        found = run(options.release, options.count, options.seed, references=options.references)
    except Difference:
        sys.exit("the codecs disagree")
    for outcome, number in sorted(found.items()):
        print(f"{outcome}: {number}")


if __name__ == "__main__":
    main()
