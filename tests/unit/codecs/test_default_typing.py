"""Services whose codec overrides `initTypeInclusion`: values of final classes name their class too.

The rows were recorded with `DefaultTyping.EVERYTHING`, by
`interop.vectors.record_default_typing_vectors`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import pytest

from pyredisson import codecs
from pyredisson.codecs import (
    Codec,
    JsonJackson3Codec,
    JsonJacksonCodec,
    TypedJsonJacksonCodec,
)
from pyredisson.errors import DecodeError, EncodeError
from pyredisson.java import JArray, JLong, java_class
from pyredisson.java.objects import JavaObject, JavaValue
from tests.support.rows import each_row
from tests.unit.codecs import shapes
from tests.unit.codecs.shapes import Color, Person, Phase, Point, Stamp, Wide
from tests.unit.codecs.test_jackson_vectors import (
    ROOT_ROWS,
    SCHEMAS,
    VECTORS,
    alike,
    unreadable,
    values_of,
    writes,
)

FILES = sorted(VECTORS.glob("Everything*.json"))


@cache
def codec_of(name: str, release: str) -> Codec[Any]:
    made: Codec[Any] = getattr(codecs, name)(
        schemas=SCHEMAS, release=release, typing="everything", strict=False
    )
    return made


def codecs_of(row: dict[str, Any]) -> list[Codec[Any]]:
    """Return codecs that must not lose a class name: with this typing and without it."""
    name = row["codec"]
    # Since 4.2.0, Redisson's `initTypeInclusion` makes a UUID a text; these services override it.
    text = "UUID" in row["java"] and row["release"] == "4.7.0" and "Json" not in name
    return [codec_of(name, row["release"]), *([] if text else _others(name, row["release"]))]


@cache
def _others(name: str, release: str) -> list[Codec[Any]]:
    make = getattr(codecs, name)
    made = [
        *(make(schemas=SCHEMAS, release=release, strict=strict) for strict in (True, False)),
        make(schemas=SCHEMAS, release=release, strict=False, unknown="error"),
    ]
    # Without schemas MessagePack's parser does not distinguish floats from doubles.
    return made if "MsgPack" in name else [*made, make(release=release, strict=False)]


def agrees(row: dict[str, Any]) -> bool:
    codec, data = codec_of(row["codec"], row["release"]), bytes.fromhex(row["hex"])
    if not row["java"].startswith(ROOT_ROWS) and unreadable(
        codec, row
    ):  # Optional, as Jackson 2.14 wrote it
        return True
    found, values = codec.decode(data), values_of(row)
    if not values:
        return writes(codec, found, data)
    if not any(writes(codec, each, data) for each in values):
        return False
    return any(alike(found, each, classes=True) for each in values)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_vectors(path: Path) -> None:
    rows = json.loads(path.read_text("utf-8"))
    assert len(rows) >= 450
    assert [row["java"] for row in rows if not agrees(row)] == []


PLAIN = JsonJacksonCodec(schemas=shapes, release="4.7.0")
LOOSE = JsonJacksonCodec(schemas=shapes, release="4.7.0", strict=False)
EVERYTHING = JsonJacksonCodec(schemas=shapes, typing="everything")
WIDE = '{"@class":"com.example.Wide","big":0,%s,"flag":false,"number":0}'


@each_row(
    ("member", "attribute", "value"),
    [
        ('"color":["com.example.Color","RED"]', "color", Color.RED),
        ('"stamp":{"@class":"com.example.Stamp","count":3}', "stamp", Stamp(None, 3)),
        ('"colors":["java.util.ArrayList",[["com.example.Color","RED"]]]', "colors", [Color.RED]),
        ('"bytes":["[B","YQ=="]', "bytes", b"a"),
        ('"words":["[Ljava.lang.String;",["a"]]', "words", ["a"]),
        ('"table":["[[Ljava.lang.String;",[["[Ljava.lang.String;",["a"]]]]', "table", [["a"]]),
        ('"boxedTiny":["java.lang.Byte",7]', "boxedTiny", 7),
        ('"text":["java.lang.String","a"]', "text", "a"),
        ('"big":["java.lang.Long",5]', "big", 5),
    ],
)
def test_class_name_that_the_typing_omits_is_not_lost(
    member: str, attribute: str, value: Any
) -> None:
    """The value is decoded. Encoding the object around it is rejected: it would lose the name."""
    found = PLAIN.decode((WIDE % member).encode())
    assert getattr(found, attribute) == value
    for each in (found, [found]):
        with pytest.raises(EncodeError) as caught:
            PLAIN.encode(each)
        assert "whose message named the class" in str(caught.value)
        assert f"in '{attribute}'" in str(caught.value)
        assert 'pass typing="everything"' in str(caught.value)
    if attribute not in {"text", "big"}:  # Java never names these
        everything = EVERYTHING.decode((WIDE % member).encode())
        assert member.encode() in EVERYTHING.encode(everything)


def test_values_of_python_carry_their_class() -> None:
    person = Person("ann", 5, None, Color.RED, Phase.PAID, 7, "x", Point(1, 2))
    text = EVERYTHING.encode([person]).decode()
    assert '"color":["com.example.Color","RED"]' in text
    assert '"home":{"@class":"com.example.Point"' in text
    assert EVERYTHING.encode(Color.RED) == b'["com.example.Color","RED"]'
    assert EVERYTHING.encode(Phase.PAID) == b'["com.example.Phase","PAID"]'
    assert EVERYTHING.encode(JArray("int", [1])) == b'["[I",[1]]'
    assert EVERYTHING.decode(b'["com.example.Color","RED"]') is Color.RED
    assert repr(EVERYTHING).endswith("typing='everything')")
    assert EVERYTHING.for_release("3.27.2").encode(Color.RED) == b'["com.example.Color","RED"]'
    three = JsonJackson3Codec(schemas=shapes, typing="everything")
    assert three.encode(JLong(5)) == b'["java.lang.Long",5]'


@each_row(
    "data",
    [
        b'["com.example.Color","RED"]',
        b'["com.example.Phase","PAID"]',
        b'["java.lang.Short",5]',
        b'["[I",[1]]',
        b'["[C","a"]',
        b'["[B","YQ=="]',
        b'["java.util.ImmutableCollections$List12",["a"]]',
        b'{"@class":"java.util.ImmutableCollections$Map1","a":"b"}',
        b'["java.util.ArrayList",[["[Lcom.example.Color;",[["com.example.Color","RED"]]]]]',
    ],
)
def test_named_roots(data: bytes) -> None:
    """A root that cannot be marked keeps its class, or encoding rejects it."""
    assert LOOSE.encode(LOOSE.decode(data)) == data
    assert EVERYTHING.encode(EVERYTHING.decode(data)) == data
    found = PLAIN.decode(data)
    if not isinstance(found, (list, JavaObject, JavaValue)) or isinstance(found, JArray):
        with pytest.raises(EncodeError, match="typing="):
            PLAIN.encode(found)
    error = JsonJacksonCodec(schemas=shapes, strict=False, unknown="error")
    with pytest.raises(DecodeError, match="typing="):
        error.decode(data)


def test_marked_root_is_not_encoded_without_its_class() -> None:
    data = b'{"@class":"com.example.Stamp","count":1,"text":"a"}'
    for codec in (PLAIN, LOOSE):
        found = codec.decode(data)
        assert found == Stamp("a", 1)
        with pytest.raises(EncodeError, match="at the root: writing it would lose that"):
            codec.encode(found)
    assert EVERYTHING.encode(EVERYTHING.decode(data)) == data


def test_codecs_that_name_no_classes() -> None:
    codec = TypedJsonJacksonCodec(Wide, schemas=shapes)
    for text in (
        '{"color":["com.example.Color","RED"]}',
        '{"@class":"com.example.Wide"}',
        '{"arrayList":["java.util.ArrayList",["a"]]}',
    ):
        with pytest.raises(EncodeError, match="use a codec that has typing="):
            codec.encode(codec.decode(text.encode()))


def test_error_names_the_fitting_option() -> None:
    text = b'{"@class":"com.example.Wide","id":["java.util.UUID","%s"]}' % (b"0" * 8 + b"-0000" * 3)
    old = JsonJacksonCodec(schemas=shapes, release="3.27.2")
    found = old.decode(text.replace(b'"]}', b'-000000000005"]}'))
    with pytest.raises(EncodeError, match="pass the release= of the Java service"):
        old.encode(found)
    found = EVERYTHING.decode(b'{"@class":"com.example.Wide","big":["java.lang.Long",5]}')
    with pytest.raises(EncodeError, match="another typing than EVERYTHING"):
        EVERYTHING.encode(found)


@java_class("com.example.Slotted")
@dataclass(slots=True)
class Slotted:
    color: Annotated[Color | None, "com.example.Color"] = None


@java_class("com.example.Colors", extends="java.util.ArrayList<com.example.Color>")
class Colors(list[Color]):
    pass


def test_class_name_in_slotted_object_or_list_subclass() -> None:
    codec = JsonJacksonCodec(schemas=[Color, Slotted, Colors])
    with pytest.raises(
        DecodeError, match=r'named the class com\.example\.Color in .* pass typing="'
    ):
        codec.decode(b'{"@class":"com.example.Slotted","color":["com.example.Color","RED"]}')
    found = codec.decode(b'["com.example.Colors",[["com.example.Color","RED"]]]')
    assert found == [Color.RED]
    with pytest.raises(EncodeError, match=r"named the class com\.example\.Color in an element"):
        codec.encode(found)


@pytest.mark.parametrize("typing", [False, 1, "non_final", None])
def test_other_typings_are_rejected(typing: Any) -> None:
    with pytest.raises(ValueError, match="JsonJacksonCodec takes True or 'everything'"):
        JsonJacksonCodec(typing=typing)
    if typing is not False:
        with pytest.raises(ValueError, match="takes True or False or 'everything'"):
            JsonJackson3Codec(typing=typing)
    with pytest.raises(EncodeError, match=r"not a constant of com\.example\.Color"):
        PLAIN.encode([JavaValue("com.example.Color", "RED")])


def mixed(plain: Any, named: Any) -> Iterator[Any]:
    """Yield copies of a message, each with one value as another typing writes it."""
    if isinstance(plain, dict) and isinstance(named, dict):
        for key in plain:
            for each in mixed(plain[key], named[key]):
                yield {**plain, key: each}
    elif isinstance(plain, list) and isinstance(named, list) and len(plain) == len(named):
        same = not isinstance(named[0] if named else "", str) or plain[:1] == named[:1]
        for number, pair in enumerate(zip(plain, named, strict=True)) if same else ():
            for each in mixed(*pair):
                yield [*plain[:number], each, *plain[number + 1 :]]
    if plain != named:
        yield named


def dumped(tree: Any) -> bytes:
    return json.dumps(tree, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


@pytest.mark.no_cover  # the same branches, thousands of times
@pytest.mark.parametrize("name", ["JsonJacksonCodec", "JsonJackson3Codec"])
@pytest.mark.parametrize("strict", [True, False])
def test_class_name_in_one_value_is_kept_or_rejected(name: str, strict: bool) -> None:
    make: Any = getattr(codecs, name)
    codec = make(schemas=SCHEMAS, release="4.7.0", strict=strict)
    messages: list[dict[str, bytes]] = []
    for kind in ("Shapes", "Everything"):
        rows = json.loads((VECTORS / f"{kind}{name}-4.7.0.json").read_text("utf-8"))
        messages.append({row["java"]: bytes.fromhex(row["hex"]) for row in rows})
    checked = rejected = 0
    for java in messages[0].keys() & messages[1].keys():
        plain, named = (json.loads(each[java]) for each in messages)
        if dumped(plain) != messages[0][java]:  # Python writes a number or an escape differently
            continue
        for tree in mixed(plain, named):
            checked += 1
            try:
                again = codec.encode(codec.decode(dumped(tree)))
            except (DecodeError, EncodeError):
                rejected += 1
            else:
                assert again == dumped(tree), java
    assert checked > rejected >= 100
