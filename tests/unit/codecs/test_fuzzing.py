"""The fuzzer for a few messages of each decoder; `scripts/fuzz` goes on as long as one likes."""

from __future__ import annotations

from typing import Any

import pytest

from pyredisson import codecs
from pyredisson.codecs import Codec
from pyredisson.errors import DecodeError
from tests.support.fuzz_targets import targets
from tests.support.fuzzing import Report, Target, examine, main, run, same
from tests.unit.codecs.shapes import OrderTask

pytestmark = pytest.mark.no_cover  # the same branches, thousands of times

TARGETS = targets()
UNREAD = {"Codec", "Limits", "sniff", "ForyCodec", "FuryCodec"}


def test_every_decoder_is_fuzzed() -> None:
    fuzzed = {name.partition(" ")[0] for name in TARGETS}
    assert fuzzed >= set(codecs.__all__) - UNREAD
    assert all(target.seeds for target in TARGETS.values())


@pytest.mark.parametrize("name", TARGETS)
def test_broken_messages(name: str) -> None:
    report = run(TARGETS[name], count=150)
    assert report.messages == 150
    assert {kind: data.hex() for kind, data in report.findings.items()} == {}


FOUND = [
    ("JsonJackson3Codec", b'{"@class":"com.example.Wide","cells":["[[L9;",[]]}'),
    ("JsonJacksonCodec", b'{"@class":"com.example.Wide","things":["[L9a.b;",[]]}'),
    ("JsonJacksonCodec", b'{"a":null}'),  # no immutable map has a null
    ("CborJacksonCodec", bytes.fromhex("bf 6161 f6 ff")),
    ("JsonJacksonCodec", b'["a b",[["java.lang.Float","NaN"]]]'),
    # A whole number beyond 64 bits beside what equals nothing, in a class without a schema.
    (
        "CborJacksonCodec",
        bytes.fromhex(
            "bf 6640636c617373 63612e42 6131 9f 3b9ffb3ff800000000 fb7ff8000000000000 ffff"
        ),
    ),
]


@pytest.mark.parametrize(("name", "data"), FOUND)
def test_what_was_found_once(name: str, data: bytes) -> None:
    examine(TARGETS[name], data, Report())


class Faulty(Codec[Any]):
    """Does what each first byte says."""

    def encode(self, value: Any) -> bytes:
        if value == "unwritable":
            raise ValueError("encode")
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
        return "value"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\0", "decode: KeyError"),
        (b"\1", "not of these bytes"),
        (b"\2", "memory"),
        (b"\3", "written and read: other becomes value"),
        (b"\6", "encode: ValueError"),
    ],
)
def test_the_fuzzer_finds(data: bytes, reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    target = Target("Faulty", Faulty(), [data] * 9)
    assert any(reason in kind for kind in run(target, count=200).findings)
    assert main(["--count", "200", "--seed", "1", "Faulty"], {"Faulty": target}) == 1
    assert "Faulty" in capsys.readouterr().out


def test_what_is_well() -> None:
    report = Report()
    examine(Target("Faulty", Faulty(), []), b"\5", report)
    assert (report.decoded, report.written) == (1, 1)


def test_equal_values() -> None:
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
