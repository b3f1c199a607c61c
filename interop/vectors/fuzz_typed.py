"""Random objects through ProtobufCodec and the Avro codecs, Python's and Java's, both ways.

    python -m interop.vectors.fuzz_typed --count 5000 --seed 1

Java must decode Python's bytes and write the same. Python must decode Java's bytes and encode the
same. What either side refuses is counted.
"""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import closing
from typing import Any

from interop.vectors.fuzz_kryo5 import Java
from interop.vectors.fuzz_values import Maker
from interop.vectors.record_typed_vectors import LIBRARIES
from pyredisson import codecs
from pyredisson.errors import CodecError, EncodeError
from pyredisson.java.schema import schema_of
from tests.support.fuzzing import same
from tests.unit.codecs import shapes
from tests.unit.codecs.avro_schemas import SCHEMAS
from tests.unit.codecs.message_shapes import MORE, Shipment

AVRO = ("AvroJacksonCodec", "AvroJackson3Codec")
BAD = "different in Java"
RUNS: tuple[tuple[str, type, str], ...] = (
    *(("ProtobufCodec", cls, "") for cls in (Shipment, shapes.Tree, shapes.Leaf)),
    *((name, cls, schema) for name in AVRO for cls, schema in ((shapes.Tree, "tree"),)),
    *((name, shapes.OrderTask, "task") for name in AVRO),
)


def run(name: str, cls: type, schema: str, seeds: range) -> dict[str, int]:
    """Run one codec of one class; return how many ended in each way.

    Differences are printed and counted, too.
    """
    make: Any = getattr(codecs, name)
    avro = [json.dumps(SCHEMAS[schema])] if schema else []
    codec = make(cls, *avro, schemas=MORE)
    tied = schema_of(cls)
    found: dict[str, int] = {}

    def count(outcome: str, told: str = "") -> None:
        found[outcome] = found.get(outcome, 0) + 1
        if outcome.startswith("different") and found[outcome] < 4:
            print(f"{name} {cls.__name__}: {told}", file=sys.stderr)

    class_name = tied.class_name if tied else ""
    with closing(Java("4.7.0", (name, class_name, *avro), LIBRARIES["4.7.0"])) as java:
        asked = [f"make {class_name} {seed}" for seed in seeds]
        for line, answer in zip(asked, java.ask(asked), strict=True):
            count(*_from_java(codec, line, answer))
        sent = []
        for seed in seeds:
            try:
                sent.append(codec.encode(Maker(seed).root(cls)).hex())
            except EncodeError:
                count("refused here")
        answers = java.ask([f"echo {data}" for data in sent])
        for data, answer in zip(sent, answers, strict=True):
            count(_from_python(codec, data, answer), f"{data}\n{answer}")
    return found


def _from_python(codec: Any, data: str, answer: str) -> str:
    if answer == data:
        return "same"
    # Java reads maps and sets into hashed ones and writes those in their order.
    found = None if answer.startswith("!") else codec.decode(bytes.fromhex(answer))
    return "same in another order" if same(found, codec.decode(bytes.fromhex(data))) else BAD


def _from_java(codec: Any, line: str, answer: str) -> tuple[str, str]:
    if answer.startswith("!"):
        return "refused by Java", answer
    try:
        again = codec.encode(codec.decode(bytes.fromhex(answer))).hex()
    except CodecError as error:
        return "different here", f"{line}: {error}"
    return ("same", "") if again == answer else ("different here", f"{line}:\n{answer}\n{again}")


def main() -> None:
    """Run as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=2000, help="for each codec and class")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    failed = False
    for name, cls, schema in RUNS:
        seeds = range(options.seed, options.seed + options.count // 2)
        found = run(name, cls, schema, seeds)
        print(f"{name} {cls.__name__}: {found}", flush=True)
        failed |= any(outcome.startswith("different") for outcome in found)
    if failed:
        sys.exit("the codecs disagree")


if __name__ == "__main__":
    main()
