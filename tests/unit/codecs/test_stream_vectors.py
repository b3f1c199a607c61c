"""Objects of interop/vectors/uids/Things.java as Redisson 3.18.1 on JDK 17 wrote them.

They have circles, inner classes, classes that extend collections, and hash tables with spare
capacity. Schemas decode them, and they encode to the same bytes.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from pyredisson.codecs import MarshallingCodec, SerializationCodec
from pyredisson.java.schema import java_class
from tests.support.rows import each_row

THINGS = "com.example.Things$"


@java_class(f"{THINGS}Outer", serial_version_uid=1)
@dataclass
class Outer:
    name: Annotated[str | None, "String"] = None


@java_class(f"{THINGS}Outer$Inner", serial_version_uid=2, outer=f"{THINGS}Outer")
@dataclass
class Inner:
    size: Annotated[int, "int"] = 0


@java_class(f"{THINGS}Node", serial_version_uid=1)
@dataclass(eq=False)
class Node:
    name: Annotated[str | None, "String"] = None
    parent: Annotated[Any, f"{THINGS}Node"] = None
    children: Annotated[list[Any], f"List<{THINGS}Node>"] = field(default_factory=list)
    any: Annotated[Any, "Object"] = None


@java_class(f"{THINGS}Tags", extends="java.util.ArrayList<String>", serial_version_uid=1)
class Tags(list[str]):
    owner: Annotated[str, "String"]


@java_class(
    f"{THINGS}Table", extends="java.util.LinkedHashMap<String, Integer>", serial_version_uid=3
)
class Table(dict[str, int]):
    limit: Annotated[int, "int"]


@java_class(f"{THINGS}Names", extends="java.util.HashSet<String>", serial_version_uid=4)
class Names(set[str]):
    label: Annotated[str | None, "String"]


@java_class(f"{THINGS}Sorted", extends="java.util.TreeMap<String, Object>", serial_version_uid=5)
class Sorted(dict[str, Any]):
    pass


@java_class(f"{THINGS}Config", extends="java.util.Properties", serial_version_uid=6)
class Config(dict[str, str]):
    pass


@java_class(f"{THINGS}Row", extends="java.util.Vector<Object>", serial_version_uid=7)
class Row(list[Any]):
    pass


@java_class(f"{THINGS}Oops", extends="java.lang.RuntimeException", serial_version_uid=8)
@dataclass
class Oops:
    code: Annotated[int, "int"] = 0


SCHEMAS: list[type] = [Outer, Inner, Node, Tags, Table, Names, Sorted, Config, Row, Oops]
CODECS: dict[str, Any] = {
    each.__name__: each(SCHEMAS) for each in (SerializationCodec, MarshallingCodec)
}
PATH = Path(__file__).parents[2] / "vectors" / "things.json"
ROWS = json.loads(PATH.read_text("utf-8"))
SHOWN = {
    "fill(new Tags(), b, a)": ["b", "a"],
    "fill(new Table(), b, 1, a, 2)": {"b": 1, "a": 2},
    "fill(new Names(), x, y, longer)": {"x", "y", "longer"},
    "fill(new Sorted(), b, 1, a, x)": {"a": "x", "b": 1},
    "fill(new Config(), a, b)": {"a": "b"},
    "fill(new Row(), 1, null)": [1, None, "z"],
    "Things.oops()": Oops(3),
    "new Outer().inner()": Inner(5),
    "new HashMap<>(100)": {},
    "new Vector<>(4)": ["a"],
}


@each_row("row", ROWS, ids=lambda row: f"{row['codec']}-{row['java']}")
def test_read_and_written_again(row: dict[str, str]) -> None:
    codec, data = CODECS[row["codec"]], bytes.fromhex(row["hex"])
    found = codec.decode(data)
    assert codec.encode(found) == data
    if row["java"] in SHOWN:
        assert found == SHOWN[row["java"]]
    if row["java"] == "Things.family()":
        assert [each.parent is found for each in found.children] == [True, True]
    if row["java"] == "Things.knot()":
        assert found.any[0] is found.any
        assert found.any[1] is found


def test_number_of_recorded_rows() -> None:
    assert len(ROWS) == 34
