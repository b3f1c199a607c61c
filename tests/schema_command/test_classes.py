"""Classes as `pyredisson schema` writes them: superclasses, generics, records, enums."""

from __future__ import annotations

from typing import Any

import pytest

from pyredisson.codecs import Kryo5Codec
from pyredisson.java.schemas import collect
from tests.schema_command.support import LIST, STRING, Load, Run, fields, schema
from tests.unit.classfile.assembler import (
    ABSTRACT,
    ENUM,
    FINAL,
    INTERFACE,
    JSON,
    PUBLIC,
    STATIC,
    SYNTHETIC,
    ClassBuilder,
    enum_class,
    note,
)


def test_superclasses_stand_first(run: Run, load: Load) -> None:
    """Even if a field of the superclass has the type of the subclass."""
    base = ClassBuilder("a.Base", flags=ABSTRACT).field("next", "La/Sub;", PUBLIC)
    base.field("value", STRING, PUBLIC)
    sub = ClassBuilder("a.Sub", "a.Base").field("value", "I", PUBLIC)
    module = load(run(base, sub, names=["a.Base"]))
    assert issubclass(module.Sub, module.Base)
    assert schema(module.Base).abstract
    found = schema(module.Sub)
    assert found.parent is schema(module.Base)
    assert found.extends is not None
    assert fields(found) == [("Sub_value", "value", "int")]
    made = module.Sub(value="text", Sub_value=5)
    assert (made.value, made.Sub_value) == ("text", 5)


def test_generic_classes(run: Run, load: Load) -> None:
    pair = ClassBuilder("a.Pair").signature(
        "<A:Ljava/lang/Object;B::Ljava/lang/Comparable<TB;>;N:Ljava/lang/Number;:La/I;>"
        "Ljava/lang/Object;"
    )
    pair.field("a", "Ljava/lang/Object;", PUBLIC, signature="TA;")
    pair.field("rows", "[Ljava/lang/Comparable;", PUBLIC, signature="[TB;")
    pair.field("outer", "La/T;", PUBLIC, signature="TOuter;")
    pair.field("outers", LIST, PUBLIC, signature="Ljava/util/List<TOuter;>;")
    sub = ClassBuilder("a.Sub", "a.Pair").signature("La/Pair<Ljava/lang/String;*+La/Sub;>;")
    other = ClassBuilder("a.I", flags=INTERFACE | ABSTRACT)
    module = load(run(pair, sub, other, ClassBuilder("a.T"), names=["a.Sub"]))
    found = schema(module.Pair)
    assert {name: str(bound) for name, bound in found.variables.items()} == {
        "A": "java.lang.Object",
        "B": "java.lang.Comparable<B>",
        "N": "java.lang.Number",
    }
    assert [str(each.type) for each in found.fields] == ["A", "B[]", "a.T", "java.util.List<?>"]
    assert str(schema(module.Sub).extends) == "a.Pair<java.lang.String, ?, ? extends a.Sub>"


def test_a_variable_that_has_the_name_of_a_class(run: Run, load: Load) -> None:
    builder = ClassBuilder("a.A").signature("<Date:Ljava/lang/Object;>Ljava/lang/Object;")
    builder.field("variable", "Ljava/lang/Object;", PUBLIC, signature="TDate;")
    builder.field("date", "Ljava/util/Date;", PUBLIC)
    result = run(builder, names=["a.A"])
    first, second = schema(load(result).A).fields
    assert (str(first.type), first.type.variable) == ("Date", True)
    assert (str(second.type), second.type.variable) == ("java.util.Date", False)


def test_records(run: Run, load: Load) -> None:
    builder = ClassBuilder("a.P", "java.lang.Record", FINAL | PUBLIC).record("y", "x", "isUp")
    builder.field("x", "I").field("y", "I").field("isUp", "Z").getter("isUp", "Z", "isUp")
    module = load(run(builder, names=["a.P"]))
    found = schema(module.P)
    assert (found.kind, found.final, found.getters) == ("record", True, ())
    assert [each.name for each in found.fields] == ["y", "x", "isUp"]
    assert all(each.public for each in found.fields)
    with pytest.raises(AttributeError):
        module.P().x = 5


@pytest.mark.parametrize(
    ("parent", "signature", "base", "value"),
    [
        ("java.util.ArrayList", "Ljava/util/ArrayList<Ljava/lang/String;>;", list, ["a"]),
        ("java.util.HashSet", None, set, {"a"}),
        ("java.util.TreeMap", "Ljava/util/TreeMap<TK;La/Own;>;", dict, {"a": 1}),
    ],
)
def test_own_collections(
    run: Run, load: Load, parent: str, signature: str | None, base: type, value: Any
) -> None:
    own = ClassBuilder("a.Own", parent).field("lost", "I", PUBLIC).field("copy", "I", PUBLIC)
    if signature is not None:
        own.signature("<K:Ljava/lang/Object;>" + signature)
    below = ClassBuilder("a.Below", "a.Own").field("index", STRING, PUBLIC)
    module = load(run(own, below, names=["a.Below"]))
    assert issubclass(module.Own, base)
    assert issubclass(module.Below, module.Own)
    assert module.Below(value) == value
    extends = schema(module.Own).extends
    assert extends is not None
    assert extends.name == parent
    assert fields(schema(module.Own)) == [("lost", "lost", "int"), ("copy_", "copy", "int")]
    assert fields(schema(module.Below)) == [("index_", "index", "java.lang.String")]


def test_throwables(run: Run) -> None:
    builder = ClassBuilder("a.Failed", "java.lang.RuntimeException").field("code", "I", PUBLIC)
    text = run(builder, names=["a.Failed"]).text
    assert 'extends="java.lang.RuntimeException",\n    serial_version_uid=' in text
    assert ")\n@dataclass\nclass Failed:\n" in text


def test_enums(run: Run, load: Load) -> None:
    builder = enum_class(
        "a.Phase",
        {"NEW": None, "None": "a.Phase$1", "in": None, "__x": "a.Phase$2", "$y": None},
    )
    builder.field("values", "I")
    builder.permits("a.Phase$1", "a.Phase$2")
    body = ClassBuilder("a.Phase$1", "a.Phase", ENUM)
    user = ClassBuilder("a.User").field("phase", "La/Phase;").field("body", "La/Phase$1;")
    module = load(run(builder, body, user, names=["a.User"]))
    assert set(collect(module)) == {"a.Phase", "a.User"}
    found = schema(module.Phase)
    assert [each.name for each in found.constants] == ["NEW", "None", "in", "__x", "$y"]
    assert [each.name for each in found.constants if each.body] == ["None", "__x"]
    assert not found.final
    assert list(module.Phase)[1].name == "None"


def test_json_of_enums(run: Run, load: Load) -> None:
    builder = ClassBuilder("a.E", "java.lang.Enum", ENUM | FINAL)
    builder.field("A", "La/E;", STATIC | ENUM, notes=[note(f"{JSON}JsonProperty;", value='"a"')])
    builder.field("B", "La/E;", STATIC | ENUM, notes=[note(f"{JSON}JsonProperty;")])
    builder.method("toString", f"(){STRING}").getter("getX", "I", "x")
    result = run(builder, names=["a.E"])
    assert result.text.startswith("# Note: toString() is overridden: JsonJackson3Codec needs")
    found = schema(load(result).E)
    assert [each.json for each in found.constants] == ['"a"', None]
    assert found.final


def test_enums_without_constants_and_with_named_bodies(run: Run, load: Load) -> None:
    empty = ClassBuilder("a.Empty", "java.lang.Enum", ENUM)
    assert run(empty, names=["a.Empty"]).text == (
        '@java_enum("a.Empty")\nclass Empty(Enum):\n    pass\n'
    )
    kotlin = enum_class("a.K", {"ONE": "a.K$ONE"})
    result = run(kotlin, names=["a.K"])
    assert '@java_enum("a.K", bodies={"ONE": "a.K$ONE"})' in result.text
    found = load(result)
    codec = Kryo5Codec(schemas=found)
    assert codec.encode(found.K.ONE) == b"\x01\x00a.K$ON\xc5\x01"
    assert codec.decode(codec.encode(found.K.ONE)) is found.K.ONE


def test_imports_of_all_names(run: Run, load: Load) -> None:
    """They fit into one line, as ruff formats it."""
    builder = ClassBuilder("a.A").field("at", "Ljava/time/ZonedDateTime;")
    builder.field("year", "Ljava/time/Year;", PUBLIC).field("phase", "La/Phase;", PUBLIC)
    result = run(builder, enum_class("a.Phase", {"NEW": None}), names=["a.A"])
    line = "from pyredisson.java import JavaField, JValue, JZonedDateTime, java_class, java_enum"
    assert line in result.head
    assert len(line) <= 88
    assert load(result).A().phase is None


def test_schema_has_the_uid_and_the_outer_object(run: Run, load: Load) -> None:
    """Classes that are Serializable, also by a superclass, have a computed UID and an outer."""
    serializable = ClassBuilder("a.Outer", interfaces=["java.io.Serializable"])
    inner = ClassBuilder("a.Outer$Inner", "a.Outer").field("this$0", "La/Outer;", SYNTHETIC)
    deep = ClassBuilder("a.Outer$Inner$Deep", "java.util.Date")
    deep.field("this$1", "La/Outer$Inner;", SYNTHETIC)
    plain = ClassBuilder("a.Plain", "a.Missing").field("this$0", "La/Outer;", SYNTHETIC)
    names = ["a.Outer$Inner$Deep", "a.Outer$Inner", "a.Plain"]
    module = load(run(serializable, inner, deep, plain, names=names))
    made = collect(module)
    outer, found = made["a.Outer"], made["a.Outer$Inner"]
    assert (outer.outer, type(outer.serial_version_uid)) == (None, int)
    assert found.serial_version_uid not in {None, outer.serial_version_uid}
    assert found.outer is not None
    assert (found.outer.name, str(found.outer.type)) == ("this$0", "a.Outer")
    below = made["a.Outer$Inner$Deep"]
    assert below.outer is not None
    assert (below.outer.name, str(below.outer.type)) == ("this$1", "a.Outer$Inner")
    left = made["a.Plain"]
    assert (left.outer, left.serial_version_uid) == (None, None)
