"""A short run of the fuzzer for each decoder; `scripts/fuzz` runs for any length of time."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from pyredisson import codecs
from pyredisson.codecs import Codec
from pyredisson.errors import DecodeError, EncodeError
from tests.support.fuzz_targets import named, targets
from tests.support.fuzzing import Finding, Report, Target, examine, main, run, same
from tests.support.rows import each_row
from tests.unit.codecs.shapes import OrderTask

pytestmark = pytest.mark.no_cover  # the same branches, thousands of times

TARGETS = targets()
UNREAD = {"Codec", "Limits", "sniff", "ForyCodec", "FuryCodec"}


def test_every_decoder_is_fuzzed() -> None:
    fuzzed = {name.partition(" ")[0] for name in TARGETS}
    assert fuzzed >= set(codecs.__all__) - UNREAD
    assert all(target.seeds for target in TARGETS.values())


@pytest.mark.parametrize("name", TARGETS)
def test_fuzzer_finds_no_fault_in_broken_messages(name: str) -> None:
    report = run(TARGETS[name], count=150)
    assert report.messages == 150
    assert {kind: data.hex() for kind, data in report.findings.items()} == {}


FOUND = [
    ("JsonJackson3Codec", b'{"@class":"com.example.Wide","cells":["[[L9;",[]]}'),
    ("JsonJacksonCodec", b'{"@class":"com.example.Wide","things":["[L9a.b;",[]]}'),
    ("JsonJacksonCodec", b'{"a":null}'),  # no immutable map has a null
    ("CborJacksonCodec", bytes.fromhex("bf 6161 f6 ff")),
    ("JsonJacksonCodec", b'["a b",[["java.lang.Float","NaN"]]]'),
    # Java writes these with the enum's class in their name.
    ("JsonJacksonCodec", b'{"@class":"java.util.EnumMap","A":"x"}'),
    ("JsonJacksonCodec", b'["java.util.ArrayList",[["java.util.EnumSet",5]]]'),
    ("IonJacksonCodec", b"'java.util.EnumMap'::{}"),
    (
        "JsonJackson3Codec without schemas",
        b'["java.util.EnumSet<java.time.Month>",[{"@class":"a.B","c":["java.util.ArrayList",[]]}]]',
    ),
    # Redisson's mapper omits nulls.
    ("JsonJackson3Codec", b'{"@class":"java.util.Collections$SingletonMap","a":null}'),
    (
        "JsonJacksonCodec arrays",
        b'["java.util.ArrayList",[["java.time.ZonedDateTime","2023-11-14T01:02:00+09:00"]]]',
    ),
    ("JsonJackson3Codec of a mapper", b"25E-55"),
    ("TypedJsonJacksonCodec", b"-1025E-5"),
    # A constant whose class is no enum; the elements of an array have the same class.
    (
        "MarshallingCodec",
        bytes.fromhex("0442020c000000146a6176612e6d6174682e426967496e7465676572043bff00")
        + bytes.fromhex("00000352454401"),
    ),
    # A whole number beyond 64 bits beside a NaN, in a class without a schema.
    (
        "CborJacksonCodec",
        bytes.fromhex(
            "bf 6640636c617373 63612e42 6131 9f 3b9ffb3ff800000000 fb7ff8000000000000 ffff"
        ),
    ),
]


@each_row(("name", "data"), FOUND)
def test_message_of_a_former_finding_passes(name: str, data: bytes) -> None:
    examine(TARGETS[name], data, Report())


CONTENTS = [
    "5",
    "1.5",
    '"A"',
    "null",
    "true",
    "[]",
    '["A"]',
    "[[],1]",
    "{}",
    '{"a":"x"}',
    '{"a":null}',
]
CONTENTS += ['["java.lang.Long",5]', '{"@class":"java.util.HashMap","a":["[I",[1]]}']


@pytest.mark.parametrize(
    "name", [each for each in TARGETS if each.startswith(("JsonJackson", "TypedJson"))]
)
def test_each_class_with_each_content(name: str) -> None:
    """This includes combinations of class and content that no real message has."""
    found = set()
    for each, content in product(named(), CONTENTS):
        messages = [f'["{each.decode()}",{content}]']
        if content[0] == "{" and "@class" not in content:
            messages.append(f'{{"@class":"{each.decode()}",{content[1:]}'.replace(",}", "}"))
        for message in messages:
            for data in (message, f'["java.util.ArrayList",[{message}]]'):
                try:
                    examine(TARGETS[name], data.encode(), Report())
                except Finding as error:
                    found.add((str(error)[:100], data))
    assert found == set()


class Faulty(Codec[Any]):
    """A codec with faults; the first byte of a message selects one."""

    written = ""

    def encode(self, value: Any) -> bytes:
        if value == "unwritable":
            raise ValueError("encode")
        if value in {"rejected", "unsteady"} and self.written == value:
            self.written = ""
            if value == "unsteady":
                return b"\x08\x08"
            raise EncodeError("rejected", codec="Faulty")
        if value in {"rejected", "unsteady"}:
            self.written = value
            return b"\7" if value == "rejected" else b"\x08"
        return b"\4" if value == "other" else b"\5"

    def decode(self, data: bytes) -> Any:
        match data[:1]:
            case b"\0":
                raise KeyError("decode")
            case b"\1":
                raise DecodeError("of others", codec="Faulty", data=b"")
            case b"\2":
                return len(bytes(5_000_000))
            case b"\3":
                return "other"
            case b"\6":
                return "unwritable"
            case b"\7":
                return "rejected"
            case b"\x08":
                return "unsteady"
        return "value"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\0", "decode: KeyError"),
        (b"\1", "not of these bytes"),
        (b"\2", "memory"),
        (b"\3", "written and read: other becomes value"),
        (b"\6", "encode: ValueError"),
        (b"\7", "written, read and rejected: EncodeError"),
        (b"\x08", "written twice"),
    ],
)
def test_fuzzer_reports_each_fault(
    data: bytes, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    target = Target("Faulty", Faulty(), [data] * 9)
    assert any(reason in kind for kind in run(target, count=200).findings)
    assert main(["--count", "200", "--seed", "1", "Faulty"], {"Faulty": target}) == 1
    assert "Faulty" in capsys.readouterr().out


def test_valid_message_is_counted() -> None:
    report = Report()
    examine(Target("Faulty", Faulty(), []), b"\5", report)
    assert (report.decoded, report.written) == (1, 1)


def test_fuzzer_compares_values() -> None:
    knot: list[Any] = []
    knot.append(knot)
    assert same(float("nan"), "NaN")
    assert same([float("-inf")], ["-Infinity"])
    assert not same(1, 2)
    assert not same("inf", 1.0)
    assert same(knot, knot)
    assert same([{"a": None, "b": 1}], [{"b": 1}])
    assert not same([{"a": None, "b": 1}], [{"b": 2}])
    assert same(OrderTask({"a": None}), OrderTask({}))  # type: ignore[arg-type] # any value does
