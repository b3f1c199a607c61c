"""Class files are read. For a damaged file, the error names the file."""

from __future__ import annotations

import struct
from typing import Any

import pytest

from pyredisson import RedissonError
from pyredisson.classfile import Access, ClassFile, ClassFileError, read_class
from pyredisson.classfile.model import InnerClass
from pyredisson.classfile.reader import MAX_CLASS_SIZE
from pyredisson.java.types import JavaType, parse_type
from tests.support.rows import each_row
from tests.unit.classfile.assembler import (
    ABSTRACT,
    ENUM,
    FINAL,
    INTERFACE,
    JSON,
    MODULE,
    PUBLIC,
    STATIC,
    SYNTHETIC,
    TRANSIENT,
    ClassBuilder,
    EnumValue,
    enum_class,
    note,
    u2,
    u4,
)


def read(builder: ClassBuilder) -> ClassFile:
    return read_class(builder.build(), "A.class")


def test_a_class_with_fields() -> None:
    builder = ClassBuilder("com.example.A", "com.example.B", PUBLIC | FINAL, ["java.util.Map"])
    builder.field("id", "J")
    builder.field("tags", "Ljava/util/List;", TRANSIENT, signature="Ljava/util/List<TT;>;")
    builder.signature("<T:Ljava/lang/Object;>Lcom/example/B<TT;>;Ljava/util/Map<TT;[I>;")
    found = read(builder)
    assert found.name == "com.example.A"
    assert found.flags == Access.PUBLIC | Access.FINAL
    assert str(found.superclass) == "com.example.B<T>"
    assert [str(each) for each in found.interfaces] == ["java.util.Map<T, int[]>"]
    assert [each.name for each in found.variables] == ["T"]
    (first, second) = found.fields
    assert (first.name, first.type, first.constant) == ("id", JavaType("long"), None)
    assert second.type == parse_type("List<T>", ["T"])
    assert second.erased == parse_type("List")
    assert second.flags == Access.TRANSIENT
    assert (found.is_record, found.is_enum, found.is_interface) == (False, False, False)
    assert not found.is_hidden
    assert found.own is None


def test_object_has_no_superclass() -> None:
    builder = ClassBuilder("java.lang.Object", None)
    assert read(builder).superclass is None
    assert read(builder.signature("Ljava/lang/Object;")).superclass is None


@each_row(
    ("value", "expected"),
    [
        (7, 7),
        (-1, -1),
        (2**40, 2**40),
        (-(2**63), -(2**63)),
        (1.5, 1.5),
        ("text", "text"),
        ("", ""),
        ("\0", "\0"),
        ("größe", "größe"),
        ("\U0001f600", "\U0001f600"),
        ("\ud800", "\ud800"),
        ("\ud83d\ude00\0x", "\U0001f600\0x"),
    ],
)
def test_constants(value: Any, expected: Any) -> None:
    """Longs and doubles take two places in the pool; the constants after them are found."""
    builder = ClassBuilder("A").field("VALUE", "I", STATIC | FINAL, constant=value)
    builder.field("after", "Z")
    found = read(builder)
    assert found.fields[0].constant == expected
    assert found.fields[1].name == "after"


def test_a_float_constant() -> None:
    builder = ClassBuilder("A")
    index = builder.pool.raw(4, struct.pack(">f", 0.5))
    builder.fields.append(
        u2(STATIC, builder.pool.utf8("x"), builder.pool.utf8("F"), 1)
        + u2(builder.pool.utf8("ConstantValue"))
        + u4(2)
        + u2(index)
    )
    assert read(builder).fields[0].constant == 0.5


@each_row(
    ("tag", "size"),
    [(10, 4), (11, 4), (15, 3), (16, 2), (17, 4), (18, 4), (19, 2), (20, 2)],
)
def test_every_tag_is_stepped_over(tag: int, size: int) -> None:
    builder = ClassBuilder("A")
    builder.pool.raw(tag, bytes(size))
    assert read(builder.field("after", "I")).fields[0].name == "after"


def test_annotations() -> None:
    builder = ClassBuilder("A").annotate(
        note(f"{JSON}JsonIgnoreProperties;", value=["a", "b"], ignoreUnknown=True),
        note("Lx/Other;", number=5, real=0.5, kind=EnumValue("ONE"), inner=note("Lx/In;", z=False)),
    )
    first, second = read(builder).annotations
    assert first.name == "com.fasterxml.jackson.annotation.JsonIgnoreProperties"
    assert first.values == {"value": ["a", "b"], "ignoreUnknown": True}
    inner = second.values.pop("inner") if isinstance(second.values, dict) else None
    assert second.values == {"number": 5, "real": 0.5, "kind": "ONE"}
    assert inner is not None
    assert (inner.name, inner.values) == ("x.In", {"z": False})


def test_annotations_of_members() -> None:
    mark = note(f"{JSON}JsonProperty;", value="x")
    builder = ClassBuilder("A").field("a", "I", notes=[mark])
    builder.method("getA", "()I", notes=[mark], signature="()TT;")
    found = read(builder)
    assert found.fields[0].annotations[0].values == {"value": "x"}
    assert found.methods[0].annotations[0].values == {"value": "x"}
    assert found.methods[0].signature == "()TT;"
    assert found.methods[0].code == b""


def test_nested_classes() -> None:
    """InnerClasses has the flags static and private. A name is not split at a dollar sign."""
    builder = ClassBuilder("com.example.Out$er$In")
    builder.inner_class("com.example.Other", "com.example.Out$er", "Other", STATIC)
    builder.inner_class("com.example.Out$er$In", "com.example.Out$er", "In", STATIC | FINAL)
    found = read(builder)
    assert found.own == InnerClass(
        "com.example.Out$er$In", "com.example.Out$er", "In", Access.STATIC | Access.FINAL
    )
    assert found.flags == Access.PUBLIC | Access.STATIC | Access.FINAL
    assert not found.is_hidden


def test_outer_class_is_not_a_nested_class() -> None:
    found = read(ClassBuilder("A").inner_class("A$B", "A", "B", STATIC))
    assert found.own is None
    assert found.flags == Access.PUBLIC


@each_row(
    "builder",
    [
        ClassBuilder("A$1").inner_class("A$1", None, None, 0),
        ClassBuilder("A$1Local").inner_class("A$1Local", None, "Local", 0),
        ClassBuilder("A$2").inner_class("A$2", "A", None, 0),
        ClassBuilder("A", flags=SYNTHETIC),
        ClassBuilder("module-info", None, MODULE),
        ClassBuilder("com.example.package-info", flags=INTERFACE | ABSTRACT | SYNTHETIC),
        ClassBuilder("com.example.package-info", flags=INTERFACE | ABSTRACT),
    ],
    ids=["anonymous", "local", "nameless", "synthetic", "module", "package", "old package"],
)
def test_hidden_classes(builder: ClassBuilder) -> None:
    assert read(builder).is_hidden


def test_records() -> None:
    builder = ClassBuilder("A", "java.lang.Record", FINAL).record("b", "a").field("a", "I")
    found = read(builder)
    assert found.is_record
    assert found.components == ("b", "a")
    assert read(ClassBuilder("E", "java.lang.Record").record()).components == ()


def test_sealed_classes() -> None:
    found = read(ClassBuilder("A", flags=INTERFACE | ABSTRACT).permits("com.x.B", "C"))
    assert found.permitted == ("com.x.B", "C")
    assert found.is_interface


def test_enums() -> None:
    builder = enum_class("com.example.Phase", {"NEW": None, "PAID": "com.example.Phase$1"})
    builder.field("DEFAULT", "Lcom/example/Phase;", PUBLIC | STATIC | FINAL)
    found = read(builder)
    assert found.is_enum
    assert not found.is_enum_body
    assert [each.name for each in found.fields if each.flags & Access.ENUM] == ["NEW", "PAID"]
    assert found.bodies == {"PAID": "com.example.Phase$1"}
    body = read(ClassBuilder("com.example.Phase$1", "com.example.Phase", ENUM | FINAL))
    assert body.is_enum_body
    assert not body.is_enum


def test_an_enum_without_constants() -> None:
    assert read(ClassBuilder("E", "java.lang.Enum", ENUM)).bodies == {}


def test_trivial_getters() -> None:
    builder = ClassBuilder("A", "B").getter("getId", "I", "id").getter("same", "I", "id")
    builder.method("getOne", "()I", code=b"\x04\xac")
    builder.method("with", "(I)I", code=b"\x2a\xb4\x00\x01\xac")
    assert read(builder).returned == {"getId": "id", "same": "id"}


# --- damage -------------------------------------------------------------------------------------


def whole() -> bytes:
    """Return a class file that uses all parts of the format that the reader knows."""
    builder = enum_class("com.example.E", {"A": "com.example.E$1"})
    builder.signature("Ljava/lang/Enum<Lcom/example/E;>;").record("a").permits("com.example.E$1")
    builder.annotate(note("Lx/Y;", a=1, b=["c"], d=2.5, e=EnumValue("F")))
    builder.inner_class("com.example.E$1", None, None, ENUM)
    builder.field("a", "I", signature="TT;", constant=2**40, notes=[note("Lx/Y;")])
    return builder.getter("getA", "I", "a").build()


def test_truncated_class_file_is_rejected() -> None:
    data = whole()
    assert read_class(data, "E.class").name == "com.example.E"
    for size in range(len(data)):
        with pytest.raises(ClassFileError, match=r"^E\.class: "):
            read_class(data[:size], "E.class")


@pytest.mark.no_cover  # the same branches, thousands of times
def test_every_flipped_byte_is_read_or_an_error() -> None:
    data = whole()
    for place in range(len(data)):
        for bits in (0xFF, 0x01, 0x80):
            damaged = bytearray(data)
            damaged[place] ^= bits
            try:
                read_class(bytes(damaged), "E.class")
            except ClassFileError as error:
                assert str(error).startswith("E.class: ")  # noqa: PT017 - most flips are errors


def test_bytes_after_the_class_are_rejected() -> None:
    with pytest.raises(ClassFileError, match=r"A: 1 bytes are left over after the class"):
        read_class(ClassBuilder("A").build() + b"\0", "A")


def test_other_files_are_rejected() -> None:
    with pytest.raises(ClassFileError, match=r"notes.txt: not a class file.*CAFEBABE"):
        read_class(b"PK\x03\x04", "notes.txt")
    with pytest.raises(RedissonError):
        read_class(b"", "empty")


def test_a_file_that_is_too_large() -> None:
    with pytest.raises(ClassFileError, match=r"A: larger than 16777216 bytes"):
        read_class(bytes(MAX_CLASS_SIZE + 1), "A")


def test_an_unknown_tag() -> None:
    builder = ClassBuilder("A")
    builder.pool.raw(2, b"")
    with pytest.raises(ClassFileError, match="has the unknown tag 2"):
        read(builder)


@each_row(
    ("data", "message"),
    [
        (b"\xff\xff", "is not a text"),
        (b"a\0b", "is not a text"),
        (b"\xf0\x9f\x98\x80", "is not a text"),
        (b"\xc3", "is not a text"),
        (b"", "is not a valid name"),
        (b"\xed\xa0\x80", "is not a valid name"),
    ],
)
def test_invalid_names_are_rejected(data: bytes, message: str) -> None:
    builder = ClassBuilder("A")
    builder.fields.append(u2(0, builder.pool.utf8(data), builder.pool.utf8("I"), 0))
    with pytest.raises(ClassFileError, match=message):
        read(builder)


@pytest.mark.parametrize("index", [0, 1, 999])
def test_invalid_index_of_the_class_name_is_rejected(index: int) -> None:
    """The index of a class's name must be that of an existing Class constant."""
    builder = ClassBuilder("A")
    builder.head = u2(PUBLIC, index, 0, 0)
    with pytest.raises(
        ClassFileError, match=f"constant {index} does not exist, or its tag is not 7"
    ):
        read(builder)


def test_invalid_signature_is_rejected() -> None:
    with pytest.raises(ClassFileError, match=r"^A.class: 'Lx' is not a valid signature"):
        read(ClassBuilder("A").field("a", "I", signature="Lx"))


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (b"?\0\0", "unknown tag '\\?'"),
        (b"[\0\x01" * 40, "nested too deeply"),
        (b"s\0\x01\0", "left over after annotations"),
    ],
)
def test_invalid_annotations_are_rejected(value: bytes, message: str) -> None:
    builder = ClassBuilder("A")
    pool = builder.pool
    content = u2(1, pool.utf8("Lx/Y;"), 1, pool.utf8("k")) + value
    builder.attributes.append(
        u2(pool.utf8("RuntimeVisibleAnnotations")) + u4(len(content)) + content
    )
    with pytest.raises(ClassFileError, match=message):
        read(builder)
