"""Fields as `pyredisson schema` writes them: types, defaults, names."""

from __future__ import annotations

from typing import Any

import pytest

from pyredisson.java.schemas import collect
from tests.schema_command.support import LIST, STRING, Load, Run, fields, schema
from tests.unit.classfile.assembler import FINAL, PUBLIC, ClassBuilder


@pytest.mark.parametrize(
    ("descriptor", "constant", "source"),
    [
        ("Z", None, "Annotated[bool, 'boolean'] = False"),
        ("Z", 1, "Annotated[bool, 'boolean'] = True"),
        ("B", None, "Annotated[int, 'byte'] = 0"),
        ("J", 2**40, "Annotated[int, 'long'] = 1099511627776"),
        ("C", None, "Annotated[str, 'char'] = '\\x00'"),
        ("C", 97, "Annotated[str, 'char'] = 'a'"),
        ("F", None, "Annotated[float, 'float'] = 0.0"),
        ("D", 1.5, "Annotated[float, 'double'] = 1.5"),
        ("D", float("-inf"), "Annotated[float, 'double'] = float('-inf')"),
        (STRING, None, "Annotated[str | None, 'String'] = None"),
        (STRING, "it's", "Annotated[str | None, 'String'] = 'it's'"),
        ("Ljava/lang/Object;", None, "Annotated[Any, 'Object'] = None"),
        ("Ljava/util/UUID;", None, "Annotated[UUID | None, 'UUID'] = None"),
        ("Ljava/util/Date;", None, "Annotated[dt.datetime | None, 'Date'] = None"),
        (
            "Ljava/time/LocalDateTime;",
            None,
            "Annotated[dt.datetime | None, 'LocalDateTime'] = None",
        ),
        ("Ljava/time/OffsetTime;", None, "Annotated[dt.time | None, 'OffsetTime'] = None"),
        ("Ljava/time/Duration;", None, "Annotated[dt.timedelta | None, 'Duration'] = None"),
        (
            "Ljava/time/ZonedDateTime;",
            None,
            "Annotated[JZonedDateTime | None, 'ZonedDateTime'] = None",
        ),
        ("Ljava/time/ZoneId;", None, "Annotated[str | JValue | None, 'ZoneId'] = None"),
        ("Ljava/time/Year;", None, "Annotated[JValue | None, 'Year'] = None"),
        ("[B", None, "Annotated[bytes | None, 'byte[]'] = None"),
        ("[[B", None, "Annotated[list[bytes] | None, 'byte[][]'] = None"),
        ("[I", None, "Annotated[list[int] | None, 'int[]'] = None"),
        (LIST, None, "Annotated[list[Any] | None, 'List'] = None"),
        ("Ljava/util/Map;", None, "Annotated[dict[Any, Any] | None, 'Map'] = None"),
        ("Ljava/util/Set;", None, "Annotated[set[Any] | None, 'Set'] = None"),
        ("Ljava/sql/Time;", None, "Annotated[Any, 'java.sql.Time'] = None"),
        ("La/A;", None, "Annotated[A | None, 'a.A'] = None"),
    ],
)
def test_types_and_defaults(
    run: Run, load: Load, descriptor: str, constant: Any, source: str
) -> None:
    builder = ClassBuilder("a.A").field("x", descriptor, PUBLIC | FINAL, constant=constant)
    result = run(builder, names=["a.A"])
    assert f"    x: {source}\n" in result.text.replace('"', "'")
    load(result).A()


@pytest.mark.parametrize(
    ("signature", "python"),
    [
        ("Ljava/util/Map<Ljava/lang/String;+Ljava/util/List<La/B;>;>;", "dict[str, list[B]]"),
        ("Ljava/util/Set<-La/B;>;", "set[Any]"),
        ("Ljava/util/Collection<*>;", "list[Any]"),
        ("Ljava/util/List<Ljava/util/List<Ljava/util/List<La/VeryVeryLongName;>;>;>;", None),
    ],
)
def test_generic_fields(run: Run, load: Load, signature: str, python: str | None) -> None:
    builder = ClassBuilder("a.A").field("x", LIST, PUBLIC, signature=signature)
    long = ClassBuilder("a.VeryVeryLongName").field("y", "La/" + "Deep" * 20 + ";", PUBLIC)
    result = run(builder, ClassBuilder("a.B"), long, names=["a.A"])
    load(result)
    if python is not None:
        assert f"    x: Annotated[{python} | None, " in result.text.replace("[\n        ", "[")


def test_long_types_are_cut_short(run: Run, load: Load) -> None:
    name = "a.AClassWithANameThatIsEvenLongerThanNamesInJavaUsedToBeInJava"
    signature = f"Ljava/util/Map<Ljava/lang/String;L{name.replace('.', '/')};>;"
    nested = "Ljava/util/Map<Ljava/lang/Integer;" * 8 + LIST + ">;" * 8
    builder = ClassBuilder("a.A").field("x", "Ljava/util/Map;", PUBLIC, signature=signature)
    builder.field("deep", "Ljava/util/Map;", PUBLIC, signature=nested)
    result = run(builder, ClassBuilder(name), names=["a.A"])
    load(result)
    assert "        dict[str, Any] | None,\n" in result.text
    assert "    deep: Annotated[\n        Any,\n" in result.text


@pytest.mark.parametrize(
    ("name", "attribute"),
    [
        ("orderId", "orderId"),
        ("größe", "größe"),
        ("class", "class_"),
        ("None", "None_"),
        ("match", "match"),
        ("list", "list_"),
        ("dt", "dt_"),
        ("A", "A_"),
        ("a$b", "a_b"),
        ("1st", "_1st"),
        ("__x", "_x"),
        ("ﬁeld", "field"),
    ],
)
def test_attribute_names(run: Run, load: Load, name: str, attribute: str) -> None:
    builder = ClassBuilder("a.A").field(name, "[Ljava/util/List;", PUBLIC).field("z", "I", PUBLIC)
    module = load(run(builder, names=["a.A"]))
    assert fields(schema(module.A))[0][:2] == (attribute, name)
    assert getattr(module.A(**{attribute: []}), attribute) == []


def test_two_fields_of_one_python_name(run: Run, load: Load) -> None:
    builder = ClassBuilder("a.A").field("a$b", "I").field("a_b", "J")
    found = schema(load(run(builder, names=["a.A"])).A)
    assert fields(found) == [("a_b", "a$b", "int"), ("a_b_", "a_b", "long")]


def test_class_names(run: Run, load: Load) -> None:
    names = ["a.Item", "b.Item", "x.c.Twin", "y.c.Twin", "a.Any", "a.Enum", "a.Exception", "a.None"]
    module = load(run(*map(ClassBuilder, names), names=["**"]))
    found = {schema_.class_name: schema_.python.__name__ for schema_ in collect(module).values()}
    assert found == {
        "a.Item": "AItem",
        "b.Item": "BItem",
        "x.c.Twin": "XCTwin",
        "y.c.Twin": "YCTwin",
        "a.Any": "Any_",
        "a.Enum": "Enum_",
        "a.Exception": "Exception_",
        "a.None": "None_",
    }


def test_classes_of_one_python_name_get_different_names(run: Run, load: Load) -> None:
    module = load(run(ClassBuilder("A$B"), ClassBuilder("A_B"), names=["A$B", "A_B"]))
    assert schema(module.A_B).class_name == "A$B"
    assert schema(module.A_B_).class_name == "A_B"


def test_long_lines_are_spread(run: Run, load: Load) -> None:
    name = "AClassWithANameThatIsAsLongAsNamesInJavaUsedToBe"
    base, sub = ClassBuilder(f"a.{name}"), ClassBuilder(f"a.{name}{name}", f"a.{name}")
    result = run(base, sub, names=[f"a.{name}{name}"])
    assert f"class {name}{name}(\n    {name},\n):\n    pass\n" in result.text
    load(result)


def test_the_default_package(run: Run, load: Load) -> None:
    builder = ClassBuilder("A").field("a", "LA;", PUBLIC).field("b", "L$B;", PUBLIC)
    module = load(run(builder, ClassBuilder("$B"), names=["A"]))
    assert fields(schema(module.A)) == [("a", "a", "A"), ("b", "b", "$B")]
