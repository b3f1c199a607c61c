"""The release of the Java side: codecs with a release, and codecs without one."""

from __future__ import annotations

import json
from copy import copy
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from pyredisson.codecs import (
    CborJacksonCodec,
    Codec,
    CompositeCodec,
    FallbackCodec,
    FstCodec,
    JsonJackson3Codec,
    JsonJacksonCodec,
    Kryo5Codec,
    LZ4Codec,
    LZ4CodecV2,
    MarshallingCodec,
    ProtobufCodec,
    SerializationCodec,
    SnappyCodec,
    SnappyCodecV2,
    StringCodec,
    TypedJsonJacksonCodec,
    ZStdCodec,
)
from pyredisson.codecs.default import default_codec
from pyredisson.codecs.kryo5.jdk import newest_since
from pyredisson.codecs.kryo5.releases import LAYOUTS, Release
from pyredisson.errors import EncodeError
from pyredisson.java import JArray, JEnumMap, JList, JValue
from pyredisson.releases import FLOOR, NEWEST, parse_release
from tests.support.rows import each_row
from tests.unit.codecs import shapes
from tests.unit.codecs.shapes import Color, OrderTask, Wide

VECTORS = Path(__file__).parents[2] / "vectors"
ID = UUID("01234567-89ab-cdef-0123-456789abcdef")
ATOMIC = "java.util.concurrent.atomic.Atomic"
FIXED = JList("java.util.Collections$UnmodifiableRandomAccessList", ["a"])
VIEW = "java.util.concurrent.ConcurrentHashMap$KeySetView"

NEW = {
    "unmodifiable": (FIXED, "3.35.0"),
    "synchronized": (JValue("java.util.Collections$SynchronizedSet", {"a"}), "3.35.0"),
    "EnumMap": (JEnumMap("com.example.Color", {Color.RED: 1}), "3.36.0"),
    "address": (JValue("java.net.Inet4Address", "127.0.0.1"), "3.38.0"),
    "AtomicInteger": (JValue(f"{ATOMIC}Integer", 5), "3.46.0"),
    "AtomicLong": (JValue(f"{ATOMIC}Long", 5), "3.46.0"),
    "AtomicBoolean": (JValue(f"{ATOMIC}Boolean", True), "3.46.0"),
    "AtomicReference": (JValue(f"{ATOMIC}Reference", "a"), "3.46.0"),
}
OLD = [
    None,
    "a",
    5,
    [1, "a"],
    {"a": 1},
    ID,
    OrderTask("1"),
    Wide(id=ID),
    JValue("java.util.Optional"),
]


def kryo(release: str | None = None, **options: Any) -> Kryo5Codec:
    return Kryo5Codec(schemas=shapes, release=release, **options)


# --- the default codec --------------------------------------------------------------------------


@each_row(
    ("release", "name"),
    [
        (None, "Kryo5Codec()"),
        ("9.0.0", "Kryo5Codec(release='9.0.0')"),
        ("3.19.0", "Kryo5Codec(release='3.19.0')"),
        ("3.18.1", "MarshallingCodec()"),
        ("3.13.0", "MarshallingCodec()"),
        ("3.12.5", "FstCodec()"),
        ("3.10.0", "FstCodec()"),
        ("3.9.1", "JsonJacksonCodec(release='3.9.1')"),
    ],
)
def test_the_default_codec(release: str | None, name: str) -> None:
    assert repr(default_codec(release)) == name


# --- codecs with a release ----------------------------------------------------------------------


def test_a_codec_is_bound_once_and_only_if_it_has_no_release() -> None:
    codec = kryo()
    bound = codec.for_release("3.27.2")
    assert (bound.release, codec.release) == ("3.27.2", None)
    assert bound is codec.for_release("3.27.2")
    assert bound.for_release("4.7.0") is bound
    assert codec.for_release("4.7.0").release == "4.7.0"


@pytest.mark.parametrize("release", [each[0] for each in LAYOUTS])
def test_bound_codec_writes_like_one_made_with_the_release(release: str) -> None:
    kept = kryo()
    kept.encode(OrderTask("1"))  # it caches the newest release's bytes
    for value in (*OLD, *(each for each, _ in NEW.values())):
        written = []
        for codec in (kept.for_release(release), kryo(release)):
            try:
                written.append(codec.encode(value).hex())
            except EncodeError as error:
                written.append(str(error))
        assert written[0] == written[1]


def test_options_stay_with_a_bound_codec() -> None:
    codec = kryo(references=True, allowed_classes=["java.util.ArrayList"]).for_release("4.7.0")
    assert codec.encode(["a"]) == kryo(
        "4.7.0", references=True, allowed_classes=["java.util.ArrayList"]
    ).encode(["a"])
    with pytest.raises(ValueError, match=r"3\.36\.0 is the first"):
        kryo(references=True).for_release("3.27.2")
    loose = JsonJacksonCodec(strict=False, schemas=shapes).for_release("4.7.0")
    assert repr(loose).endswith("release='4.7.0', strict=False)")


@each_row(
    ("codec", "release", "shown"),
    [
        (StringCodec(), "3.27.2", "StringCodec('UTF-8')"),
        (SerializationCodec(), "3.27.2", "SerializationCodec()"),
        (LZ4Codec(), "3.27.2", "LZ4Codec(Kryo5Codec(release='3.27.2'))"),
        (LZ4Codec(), "3.18.1", "LZ4Codec(MarshallingCodec())"),
        (LZ4Codec(), "3.12.2", "LZ4Codec(FstCodec())"),
        (LZ4Codec(), "3.5.2", "LZ4Codec(FstCodec())"),
        (LZ4Codec(Kryo5Codec()), "3.27.2", "LZ4Codec(Kryo5Codec(release='3.27.2'))"),
        (LZ4Codec(Kryo5Codec(release="4.7.0")), "3.27.2", "LZ4Codec(Kryo5Codec(release='4.7.0'))"),
        (SnappyCodecV2(StringCodec()), "3.27.2", "SnappyCodecV2(StringCodec('UTF-8'))"),
        (
            LZ4CodecV2(),
            "3.27.2",
            "LZ4CodecV2(Kryo5Codec(release='3.27.2'), release='3.27.2')",
        ),
        (
            LZ4CodecV2(StringCodec(), release="3.24.3"),
            "4.7.0",
            "LZ4CodecV2(StringCodec('UTF-8'), release='3.24.3')",
        ),
        (
            CompositeCodec(None, None, Kryo5Codec()),
            "3.27.2",
            "CompositeCodec(None, None, Kryo5Codec(release='3.27.2'))",
        ),
        (
            FallbackCodec([MarshallingCodec(), Kryo5Codec()]),
            "3.18.1",
            "FallbackCodec([MarshallingCodec(), Kryo5Codec()])",
        ),
        (
            FallbackCodec([Kryo5Codec(), FstCodec(), JsonJacksonCodec()]),
            "3.27.2",
            "FallbackCodec([Kryo5Codec(release='3.27.2'), FstCodec(), "
            "JsonJacksonCodec(release='3.27.2')])",
        ),
        (
            TypedJsonJacksonCodec(OrderTask),
            "4.7.0",
            "TypedJsonJacksonCodec(OrderTask, schemas=[OrderTask], release='4.7.0')",
        ),
    ],
)
def test_for_release(codec: Codec[Any], release: str, shown: str) -> None:
    before = repr(codec)
    assert repr(codec.for_release(release)) == shown
    assert repr(codec) == before


@each_row(
    ("codec", "release", "told"),
    [
        (Kryo5Codec(), "3.18.1", r"Kryo5Codec's bytes are known from 3\.19\.0 on"),
        (
            JsonJackson3Codec(),
            "3.27.2",
            r"Redisson 3\.27\.2 has no JsonJackson3Codec; it came with 4\.1\.0",
        ),
        (LZ4CodecV2(), "3.23.5", r"Redisson 3\.23\.5 has no LZ4CodecV2; it came with 3\.24\.0"),
        (LZ4Codec(), "3.12.4", "pass an inner codec"),
        (FallbackCodec([Kryo5Codec()]), "3.18.1", r"from 3\.19\.0 on"),
        (Kryo5Codec(), "4.7", "not a Redisson release"),
    ],
)
def test_releases_without_the_codec(codec: Codec[Any], release: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        codec.for_release(release)


def test_a_release_is_checked_whatever_the_codec() -> None:
    for make in (Kryo5Codec, JsonJacksonCodec, LZ4CodecV2):
        with pytest.raises(TypeError, match="as a str, such as"):
            make(release=3.27)  # type: ignore[arg-type] # that is what it is about
        with pytest.raises(ValueError, match="not a Redisson release"):
            make(release="")


def test_compressing_codec_cannot_encode_for_an_old_release() -> None:
    for codec, release in (
        (LZ4Codec(StringCodec()), "3.5.1"),
        (SnappyCodec(StringCodec()), "3.5.5"),
    ):
        bound = codec.for_release(release)
        assert bound.decode(codec.encode("a")) == "a"
        with pytest.raises(
            EncodeError, match=f"cannot write the bytes that Redisson {release} reads"
        ):
            bound.encode("a")


def test_json_in_a_protobuf_codec_has_a_release() -> None:
    codec = ProtobufCodec(UUID)
    assert codec.for_release("4.7.0").encode(ID) == f'["java.util.UUID","{ID}"]'.encode()
    assert codec.for_release("3.27.2").encode(ID) == f'"{ID}"'.encode()
    with pytest.raises(EncodeError, match="name the Java side's release"):
        codec.encode(ID)
    own = ProtobufCodec(OrderTask)
    assert own.for_release("4.7.0") is own


# --- codecs without a release -------------------------------------------------------------------


@each_row("name", NEW)
def test_value_that_older_releases_cannot_read_is_rejected(name: str) -> None:
    value, since = NEW[name]
    told = f"only Redisson {since} and newer reads this; name the Java side's release, by Redisson"
    for each in (value, [value], {"a": value}):
        with pytest.raises(EncodeError, match=told) as caught:
            kryo().encode(each)
        assert 'release="4.7.0"' in str(caught.value)
        data = kryo(NEWEST).encode(each)
        assert data == kryo(since).encode(each)
        assert kryo(NEWEST).encode(kryo().decode(data)) == data  # decodes like the newest


def test_element_of_a_final_class_needs_its_release() -> None:
    """Elements of a final class have no class header."""
    array = JArray("java.net.Inet4Address", [NEW["address"][0], None])
    data = kryo(NEWEST).encode(array)
    found = kryo().decode(data)
    assert kryo(NEWEST).encode(found) == data
    with pytest.raises(EncodeError, match=r"only Redisson 3\.38\.0 and newer"):
        kryo().encode(array)
    assert kryo().encode(JArray("java.net.Inet4Address", [None]))


def test_a_view_of_keys() -> None:
    rows = json.loads((VECTORS / "Kryo5Codec-4.7.0.json").read_text("utf-8"))
    data = next(
        bytes.fromhex(row["hex"])
        for row in rows
        if VIEW[:-1].encode().hex() in row["hex"] and not row.get("options")
    )
    found = kryo().decode(data)
    with pytest.raises(EncodeError, match=r"only Redisson 4\.7\.0 and newer reads this"):
        kryo().encode(found)
    assert kryo(NEWEST).encode(found) == data


@each_row("value", OLD, ids=lambda each: type(each).__name__)
def test_value_that_all_releases_read_alike_is_written(value: Any) -> None:
    written = {
        kryo(first).encode(value) for first, _ in LAYOUTS if parse_release(first) >= (3, 21, 0)
    }
    assert written == {kryo().encode(value)}


def test_a_null_needs_no_release() -> None:
    extras = shapes.Extras()
    assert extras.enumMap is None
    assert kryo().encode(extras) == kryo(NEWEST).encode(extras)


def test_option_implies_the_oldest_possible_release() -> None:
    for options in (
        {"references": True},
        {"allowed_classes": ["java.util.Collections$UnmodifiableRandomAccessList"]},
    ):
        codec = kryo(**options)
        assert codec.encode(FIXED) == kryo(NEWEST, **options).encode(FIXED)
    with pytest.raises(EncodeError, match=r"3\.38\.0"):
        kryo(references=True).encode(NEW["address"][0])


def test_ids_of_allowed_classes_have_an_order_since_4_1() -> None:
    names = ["java.util.Date", "java.util.ArrayList"]
    for given in (names, set(names)):
        codec = Kryo5Codec(allowed_classes=given)
        assert codec.encode("a") == Kryo5Codec().encode("a")
        with pytest.raises(EncodeError, match=r"allowed_classes: only Redisson 4\.1\.0 and newer"):
            codec.encode(["a"])
        assert codec.for_release("4.1.0").encode([]).hex() == "0b01"
    sure = Kryo5Codec(allowed_classes=sorted(names))  # the same in both orders
    assert sure.encode([]).hex() == "0b01"


def test_newer_codec_implies_a_newer_oldest_release() -> None:
    assert ZStdCodec(kryo()).encode(FIXED)
    with pytest.raises(EncodeError, match=r"3\.46\.0"):
        ZStdCodec(kryo()).encode(NEW["AtomicLong"][0])
    with pytest.raises(EncodeError, match=r"3\.35\.0"):
        LZ4Codec(kryo()).encode(FIXED)
    assert ZStdCodec(kryo("3.27.2")).inner.encode("a")
    assert ZStdCodec(ZStdCodec(kryo())).encode(FIXED)


def test_blocks_of_lz4_are_written_unless_the_release_has_frames() -> None:
    codec = LZ4CodecV2(StringCodec())
    assert codec.encode("hello").hex() == "000000055068656c6c6f"
    assert codec.for_release("3.25.0").encode("hello") == codec.encode("hello")
    assert codec.for_release("3.24.3").encode("hello")[:4].hex() == "04224d18"
    with pytest.raises(EncodeError, match=r"3\.35\.0"):
        LZ4CodecV2(kryo()).encode(FIXED)


@pytest.mark.parametrize("make", [JsonJacksonCodec, CborJacksonCodec, JsonJackson3Codec])
def test_a_declared_uuid_needs_a_release(make: Any) -> None:
    codec = make(schemas=shapes)
    for each in (codec, codec.for_release("4.7.0")):
        with pytest.raises(EncodeError, match="not a UUID"):
            each.encode(Wide(id="a"))
    declared: list[Any] = [ID, Wide(id=ID), Wide(ids=[ID])]
    for value in declared:
        told = r"UUID at the root .* only Redisson 4\.2\.0 and newer reads this; name the Java"
        with pytest.raises(EncodeError, match=told):
            codec.encode(value)
        assert codec.decode(codec.for_release("4.7.0").encode(value)) == value
    others: list[Any] = [[ID], Wide(), {"a": ID}]
    for value in others:
        assert codec.encode(value) == codec.for_release("4.7.0").encode(value)


def test_newest_since_matches_the_change_of_bytes() -> None:
    """The bytes change at the release that `newest_since` returns, and at no later one."""
    codecs = {first: kryo(first) for first, _ in LAYOUTS}
    for value, since in NEW.values():
        name = codecs[NEWEST]._registry.of(value).class_name
        assert newest_since(name) == since
        if name.endswith("AtomicReference"):  # the bytes are the same, but not for JDK 17
            continue
        for first, codec in codecs.items():
            try:
                same = codec.encode(value) == codecs[NEWEST].encode(value)
            except EncodeError:
                same = False
            assert same == (parse_release(first) >= parse_release(since)), first
    assert newest_since("java.util.ArrayList") == FLOOR
    assert newest_since("java.lang.IllegalStateException") == FLOOR
    assert newest_since(VIEW) == "4.7.0"


def test_a_copy_is_a_codec() -> None:
    assert copy(kryo("3.27.2")).decode(b"\x03\x82a") == kryo("3.27.2").decode(b"\x03\x82a")
    assert Release("3.27.2").number == (3, 27, 2)
