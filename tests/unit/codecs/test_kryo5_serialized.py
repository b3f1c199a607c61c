"""Values that Java serialization wrote inside Kryo: decoded, and written again in their order."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import pytest

from pyredisson.codecs import Kryo5Codec
from pyredisson.errors import DecodeError, EncodeError
from pyredisson.java import JMap, JSerialized, java_class
from pyredisson.java.objects import JavaObject
from tests.unit.codecs import shapes
from tests.unit.codecs.shapes import Color

CODEC = Kryo5Codec(schemas=shapes, release="4.7.0")
VECTORS = Path(__file__).parents[2] / "vectors" / "Kryo5Codec-4.7.0.json"
ROWS: list[dict[str, Any]] = json.loads(VECTORS.read_text("utf-8"))
LIST = "01006a6176612e7574696c2e41727261794c6973f4"


def recorded(java: str) -> bytes:
    """Return the bytes that Java wrote for an expression of the table."""
    return bytes.fromhex(next(row["hex"] for row in ROWS if row["java"] == java))


PAYMENT = recorded('quiet(new PaymentException("refused", "A1"))')


@java_class("com.example.PaymentException", extends="java.lang.RuntimeException")
@dataclass
class PaymentException:
    orderId: Annotated[str | None, "String"] = None  # noqa: N815 - the field has Java's name


@java_class("com.example.Job")
@dataclass
class Job:
    any: Annotated[Any, "java.lang.Throwable"] = None
    error: Annotated[Any, "java.lang.Exception"] = None
    failure: Annotated[Any, "java.lang.RuntimeException"] = None


def test_an_exception_with_a_schema() -> None:
    codec = Kryo5Codec(schemas=[PaymentException, Job])
    found = codec.decode(PAYMENT)
    assert found.value == PaymentException("A1")
    assert codec.encode(found) == PAYMENT
    for job in (Job(any=found), Job(error=found), Job(failure=found)):
        assert codec.decode(codec.encode(job)) == job
    with pytest.raises(EncodeError, match="lacks the serial_version_uid"):
        codec.encode(PaymentException("A1"))
    with pytest.raises(EncodeError, match=r"is not a java\.lang\.RuntimeException"):
        codec.encode(Job(failure=JSerialized("java.io.IOException", PAYMENT[29:])))


def test_an_exception_without_a_schema() -> None:
    codec = Kryo5Codec(schemas=[Job])
    found = codec.decode(PAYMENT)
    assert isinstance(found.value, JavaObject)
    assert found.value.fields["orderId"] == "A1"
    assert codec.decode(codec.encode(Job(any=found, error=None))) == Job(any=found)
    assert codec.decode(codec.encode(Job(error=found))) == Job(error=found)
    with pytest.raises(EncodeError, match=r"is not a java\.lang\.RuntimeException"):
        codec.encode(Job(failure=found))
    renamed = PAYMENT.replace(b"PaymentExceptio\xee", b"PaymentRejectio\xee", 1)
    with pytest.raises(DecodeError, match="is not known here, and"):
        codec.decode(renamed)
    for wrong in (
        PAYMENT.replace(b"PaymentExceptio\xee", b"PaymentErro\xf2", 1),
        PAYMENT[:30] + b"\x00" * 4,
    ):
        with pytest.raises(DecodeError, match="is not known here; pass") as caught:
            codec.decode(wrong)
        assert str(caught.value.class_name).startswith("com.example.Payment")
    error = JSerialized("com.example.PaymentError", found.data)
    assert codec.encode(Job(any=error))
    with pytest.raises(EncodeError, match=r"is not a java\.lang\.Exception"):
        codec.encode(Job(error=error))


def test_parts_of_a_stream_stay_in_their_order() -> None:
    data = recorded(
        'list(Collections.unmodifiableList(list("a")), "x", '
        'Collections.unmodifiableList(list("b", "a")))'
    )
    first, text, second = CODEC.decode(data)
    assert CODEC.encode([first, text, second]) == data
    assert CODEC.encode(deepcopy([first, text, second])) == data
    assert CODEC.decode(CODEC.encode([text, first])) == [text, first]
    assert (second.after, first.after) != (first.after, second.after)
    assert second != JSerialized(second.class_name, second.data)
    assert len({first, second, deepcopy(first)}) == 2
    for wrong in ([second], [second, first], [first, first], [first, first, second]):
        with pytest.raises(EncodeError, match="only be written after"):
            CODEC.encode(wrong)


@pytest.mark.parametrize("cut", [1, 6, 40])
def test_a_stream_that_ends_early(cut: int) -> None:
    with pytest.raises(DecodeError, match="ends early"):
        CODEC.decode(PAYMENT[:-cut])


def test_missing_serialization_stream_is_rejected() -> None:
    data = recorded("new EnumMap<>(Map.of(Color.RED, 1))")
    start = data.index(b"\xac\xed")
    with pytest.raises(DecodeError, match="not a Java serialization stream") as caught:
        CODEC.decode(data[:start] + b"\x00" + data[start:])
    assert caught.value.class_name == "java.util.EnumMap"
    # A second header where the first stream must continue.
    stream = data[start:]
    head = bytes.fromhex(LIST) + b"\x83\x01\x01" + data[2:start] + b"\x00"
    with pytest.raises(DecodeError, match="no object begins with 0xac"):
        CODEC.decode(head + stream + stream)
    found = CODEC.decode(data)
    with pytest.raises(EncodeError, match="not a Java serialization stream"):
        CODEC.encode(JSerialized(found.class_name, b"\x00" + found.data))
    assert found.value == JMap("java.util.EnumMap", {Color.RED: 1})
