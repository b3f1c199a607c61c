"""Random graphs of recorded values through Java's `FstCodec` and pyredisson's, byte for byte.

    python -m interop.vectors.fuzz_fst --count 2000 --seed 1

The values are those of the recorded vectors, in lists, maps, arrays and objects. Some of them are
in several places or in a circle. Python must read what it wrote as the same graph, and Java must
read it and write the same bytes. The rule: a value that Java alone writes differently when it
writes it again (the capacity of a set) is left out. The program first asks Java which values these
are.
"""

from __future__ import annotations

import argparse
import json
import sys
from random import Random
from typing import Any

from interop.vectors.migration_runs import OBJECT_RUNS
from interop.vectors.record_migration_vectors import VECTORS, echo
from pyredisson.codecs import FstCodec
from pyredisson.errors import CodecError
from pyredisson.java import JArray, JList, JMap
from tests.unit.codecs.migration_shapes import SHAPES, Animal, Dog, Order

RUN = next(run for run in OBJECT_RUNS if run[:2] == ("FstCodec", "3.12.5"))
CODEC = FstCodec(SHAPES)


def pieces() -> list[bytes]:
    """Return the recorded values that both sides write again to the same bytes."""
    rows = json.loads((VECTORS / f"{RUN[0]}-{RUN[1]}.json").read_text("utf-8"))
    found = []
    for row in rows:
        data = bytes.fromhex(row["hex"])
        try:
            if len(data) < 1000 and CODEC.encode(CODEC.decode(data)) == data:
                found.append(data)
        except CodecError:
            continue
    return [data for data, told in zip(found, echo(RUN, found), strict=True) if told == data.hex()]


class Graphs:
    """Makes random graphs of some values."""

    def __init__(self, seed: int, values: list[bytes]) -> None:
        self._random = Random(seed)
        self._values = values
        self._made: list[Any] = []

    def value(self, depth: int = 0) -> Any:
        """Return a new value, or one that the graph already contains."""
        if self._made and self._random.randrange(8) == 0:
            return self._random.choice(self._made)
        if depth > 3 or self._random.randrange(3):
            found = CODEC.decode(self._random.choice(self._values))
        else:
            found = self._holder(depth)
        self._made.append(found)
        return found

    def _some(self, depth: int) -> list[Any]:
        return [self.value(depth + 1) for _ in range(self._random.randrange(5))]

    def _holder(self, depth: int) -> Any:
        choice = self._random.randrange(6)
        if choice == 0:
            found: list[Any] = [] if self._random.randrange(2) else JList("java.util.LinkedList")
            self._made.append(found)
            found += self._some(depth)
            return found
        if choice == 1:
            name = self._random.choice(["LinkedHashMap", "concurrent.ConcurrentHashMap", "TreeMap"])
            values = [each for each in self._some(depth) if each is not None]
            return JMap(f"java.util.{name}", {f"k{at}": each for at, each in enumerate(values)})
        if choice == 2:
            held: dict[Any, Any] = {}
            self._made.append(held)
            held |= {self._random.choice(["key", 1, True]): each for each in self._some(depth)[:1]}
            return held
        if choice == 3:
            return JArray("java.lang.Object", self._some(depth))
        if choice == 4:
            tags = [f"tag {each}" for each in range(3)]
            return Order("id", 5, extra={"any": self.value(depth + 1)}, tags=tags)
        dog = Dog(name=f"rex {depth}", legs=4, words=JArray("java.lang.String", ["word", None]))
        self._made.append(dog)
        dog.any = self.value(depth + 1)
        dog.friend = dog if self._random.randrange(2) else None
        return [dog, Animal("ant", 6)]


def main() -> None:
    """Run as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    values = pieces()
    seeds = range(options.seed, options.seed + options.count)
    sent: list[bytes] = []
    refused = 0
    for seed in seeds:
        try:
            sent.append(CODEC.encode(Graphs(seed, values).value()))
        except CodecError as error:
            if "contains itself" not in str(error):
                sys.exit(f"{seed}: {error}")
            refused += 1
    for data, told in zip(sent, echo(RUN, sent), strict=True):
        try:
            again = CODEC.encode(CODEC.decode(data))
        except CodecError as error:
            again = str(error).encode()
        if again != data or told != data.hex():
            sys.exit(f"Python {data.hex()}\nagain  {again!r}\nJava   {told}")
    print(f"same: {len(sent)} graphs of {len(values)} values; refused: {refused}")


if __name__ == "__main__":
    main()
