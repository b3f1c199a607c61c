"""The Avro schemas of the recorded values, keyed by the `schema` name of their rows."""

from __future__ import annotations

from typing import Any

__all__ = ["SCHEMAS"]


def _record(name: str, fields: dict[str, Any]) -> dict[str, Any]:
    listed = [{"name": key, "type": kind} for key, kind in fields.items()]
    return {"type": "record", "name": name, "namespace": "com.example", "fields": listed}


def _or_null(kind: Any) -> list[Any]:
    return ["null", kind]


_COLOR = {"type": "enum", "name": "Color", "symbols": ["GREEN", "RED", "BLUE"]}
_PHASE = {"type": "enum", "name": "Phase", "symbols": ["NEW", "PAID", "SENT", "LOST"]}
_TASK = _record(
    "OrderTask",
    {"orderId": _or_null("string"), "action": _or_null("string"), "createdAt": "long"},
)
_STAMP = _record("Stamp", {"text": ["string", "null"], "count": "int"})
_ID = {"type": "fixed", "name": "Id", "size": 16}


def _array(items: Any) -> Any:
    return _or_null({"type": "array", "items": items})


def _map(values: Any) -> Any:
    return _or_null({"type": "map", "values": values})


def _shipment(date: Any) -> dict[str, Any]:
    return _record(
        "Shipment",
        {
            "flag": "boolean",
            "tiny": "int",
            "small": "int",
            "letter": "string",
            "number": "int",
            "big": "long",
            "single": "float",
            "precise": "double",
            "boxedFlag": _or_null("boolean"),
            **dict.fromkeys(("boxedTiny", "boxedSmall", "boxedNumber"), _or_null("int")),
            "boxedLetter": ["string", "null"],
            "boxedBig": _or_null("long"),
            "boxedSingle": _or_null("float"),
            "boxedPrecise": ["double", "null"],
            "text": _or_null("string"),
            "integer": _or_null("long"),
            "decimal": _or_null("string"),
            "date": _or_null(date),
            "id": _or_null(_ID),
            "color": _or_null(_COLOR),
            "phase": _or_null(_PHASE),
            "bytes": _or_null("bytes"),
            "task": _or_null(_TASK),
            "stamp": _or_null(_STAMP),
            "leaf": _or_null("string"),
            "next": _or_null("Shipment"),
            "strings": _array(_or_null("string")),
            "integers": _array("int"),
            "longs": _array(_or_null("long")),
            "doubles": _array("double"),
            "flags": _array("boolean"),
            "smalls": _array("int"),
            "chunks": _array("bytes"),
            "decimals": _array("string"),
            "tasks": _array("OrderTask"),
            "parts": _array(_or_null("Shipment")),
            "colors": _array("Color"),
            "names": _array("string"),
            "numbers": _array("int"),
            "ordered": _array("long"),
            "sorted": _array("string"),
            "labels": _map(_or_null("string")),
            "dates": _map(_or_null(date)),
            "byId": _map(_or_null("OrderTask")),
            "ids": _map("Id"),
            "byColor": _map("int"),
            "shades": _map("Color"),
        },
    )


SCHEMAS: dict[str, Any] = {
    **{name: name for name in ("string", "int", "long", "boolean", "float", "double", "bytes")},
    "shipment": _shipment({"type": "long", "logicalType": "timestamp-millis"}),
    "shipment3": _shipment("string"),
    "task": _TASK,
    "stamp": _STAMP,
    "tree": _record(
        "Tree",
        {
            "name": _or_null("string"),
            "twin": _or_null("Tree"),
            "children": _array(_or_null("Tree")),
            "index": _map(_or_null("Tree")),
        },
    ),
    "strings": {"type": "array", "items": ["null", "string"]},
    "ints": {"type": "map", "values": "int"},
    "color": _COLOR,
    "pair": {"type": "fixed", "name": "Pair", "size": 2},
}
