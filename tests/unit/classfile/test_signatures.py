"""Descriptors and signatures are parsed to Java types."""

from __future__ import annotations

import pytest

from pyredisson.classfile.signatures import class_signature, field_type, return_type
from tests.support.rows import each_row

FIELDS = [
    ("Z", "boolean"),
    ("B", "byte"),
    ("C", "char"),
    ("S", "short"),
    ("I", "int"),
    ("J", "long"),
    ("F", "float"),
    ("D", "double"),
    ("[[J", "long[][]"),
    ("LA;", "A"),
    ("Ljava/lang/String;", "java.lang.String"),
    ("[Ljava/lang/String;", "java.lang.String[]"),
    ("TT;", "T"),
    ("[TKey;", "Key[]"),
    ("Ljava/util/List<Ljava/lang/String;>;", "java.util.List<java.lang.String>"),
    ("Ljava/util/List<*>;", "java.util.List<?>"),
    ("Ljava/util/List<[I>;", "java.util.List<int[]>"),
    ("[Ljava/util/List<TT;>;", "java.util.List<T>[]"),
    ("Ljava/util/Map<+TK;-Lx/V;>;", "java.util.Map<? extends K, ? super x.V>"),
    ("Lx/Outer<TT;>.Inner<LA;>.Deep;", "x.Outer$Inner$Deep"),
    ("Lx/Outer<TT;>.Inner<LA;>;", "x.Outer$Inner<A>"),
    ("Lx/Straße$größe;", "x.Straße$größe"),
]


@each_row(("text", "expected"), FIELDS)
def test_fields(text: str, expected: str) -> None:
    assert str(field_type(text)) == expected
    assert str(return_type(f"(I{text}){text}")) == expected


def test_variables_are_marked() -> None:
    assert field_type("TT;").variable
    assert not field_type("LT;").variable
    assert field_type("Ljava/util/List<TT;>;").arguments[0].variable


@each_row(
    ("text", "variables", "superclass", "interfaces"),
    [
        ("LA;", {}, "A", []),
        ("LA;LB;LC<LD;>;", {}, "A", ["B", "C<D>"]),
        ("<T:Ljava/lang/Object;>LA;", {"T": ["java.lang.Object"]}, "A", []),
        ("<T::Ljava/util/List<TT;>;>LA;", {"T": ["java.util.List<T>"]}, "A", []),
        ("<T:LB;:LC;:LD;U:TT;>LA<TU;>;", {"T": ["B", "C", "D"], "U": ["T"]}, "A<U>", []),
        ("<T:>LA;", {"T": []}, "A", []),
    ],
)
def test_classes(
    text: str, variables: dict[str, list[str]], superclass: str, interfaces: list[str]
) -> None:
    found = class_signature(text)
    assert {each.name: [str(b) for b in each.bounds] for each in found.variables} == variables
    assert str(found.superclass) == superclass
    assert [str(each) for each in found.interfaces] == interfaces


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("()V", "void"),
        ("(ILjava/lang/String;[J)Z", "boolean"),
        ("<T:Ljava/lang/Object;>(TT;)Ljava/util/List<TT;>;^Lx/E;^TT;", "java.util.List<T>"),
    ],
)
def test_methods(text: str, expected: str) -> None:
    assert str(return_type(text)) == expected


@each_row(
    "text",
    [
        "",
        "V",
        "X",
        "L",
        "L;",
        "LA",
        "LA<",
        "LA<>;",
        "LA<LB;;",
        "LA;;",
        "T;",
        "TT",
        "[",
        "[" * 256 + "I",
        "L/A;",
        "LA/;",
        "II",
        "LA<" * 65 + "*" + ">;" * 65,
        "LA<" + "Lveryveryvery/long/Name;" * 20,
    ],
)
def test_invalid_field_signatures_are_rejected(text: str) -> None:
    with pytest.raises(ValueError, match="is not a valid signature"):
        field_type(text)


def test_depth_that_is_allowed() -> None:
    assert field_type("[" * 255 + "I").dimensions == 255
    assert str(field_type("LA<" * 64 + "*" + ">;" * 64)).count("A") == 64


@each_row("text", ["I", "(I", "(V)V", "()", "()VV", "()V^", "<T(I)V"])
def test_invalid_method_signatures_are_rejected(text: str) -> None:
    with pytest.raises(ValueError, match="is not a valid signature"):
        return_type(text)


@each_row("text", ["", "<LA;", "<T>LA;", "<T:LA;", "LA;I?"])
def test_invalid_class_signatures_are_rejected(text: str) -> None:
    with pytest.raises(ValueError, match="is not a valid signature"):
        class_signature(text)
