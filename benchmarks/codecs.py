"""Encode and decode rates of the codecs, beside json, msgpack and pickle on the same values.

    python -m benchmarks.codecs

Every figure is the time of one call as a ratio to the standard library's `json` with the
equal dict (below 1 is faster), measured in the same run. A codec is one line of `CODECS`.
"""

# ruff: noqa: N815 - fields have Java's names
from __future__ import annotations

import json
import pickle
import timeit
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Annotated, Any

import msgpack  # type: ignore[import-untyped] # it has no types

from pyredisson.codecs import Codec, Kryo5Codec
from pyredisson.codecs.java.schema import java_class


@java_class("com.example.Order")
@dataclass
class Order:
    orderId: Annotated[str, "String"]
    action: Annotated[str, "String"]
    createdAt: Annotated[int, "long"]
    attempts: Annotated[int, "int"]
    amount: Annotated[float, "double"]


@java_class("com.example.Basket")
@dataclass
class Basket:
    customer: Annotated[str, "String"]
    tags: Annotated[list[str], "List<String>"]
    counts: Annotated[dict[str, int], "Map<String, Integer>"]
    orders: Annotated[list[Order], "List<com.example.Order>"]


ORDER = Order("order-12345", "pay", 1_700_000_000_000, 3, 12.5)
VALUES: dict[str, Any] = {
    "object of 5 fields": ORDER,
    "nested objects": Basket("c-1", ["a", "bc", "def"], {"x": 1, "y": 2}, [ORDER] * 5),
    "text": "order-12345",
    "list of 20 texts": [f"order-{number}" for number in range(20)],
}
CODECS: dict[str, Callable[[], Codec[Any]]] = {
    "Kryo5Codec": lambda: Kryo5Codec(schemas=[Order, Basket]),
}


def best(calls: list[Callable[[], object]], rounds: int = 15) -> list[float]:
    """Return the best time of each call; the rounds take turns, so all see the same machine."""
    numbers = [max(timeit.Timer(call).autorange()[0] // 20, 1) for call in calls]
    found = [float("inf")] * len(calls)
    for _ in range(rounds):
        for place, (call, number) in enumerate(zip(calls, numbers, strict=True)):
            found[place] = min(found[place], timeit.timeit(call, number=number) / number)
    return found


def pairs(value: Any) -> dict[str, tuple[Callable[[], object], Callable[[], object]]]:
    """Return what encodes and what decodes the value, by name."""
    plain = asdict(value) if hasattr(value, "__dataclass_fields__") else value
    text, packed, pickled = json.dumps(plain), msgpack.packb(plain), pickle.dumps(value)
    found: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
        "json": (lambda: json.dumps(plain), lambda: json.loads(text)),
        "msgpack": (lambda: msgpack.packb(plain), lambda: msgpack.unpackb(packed)),
        "pickle": (lambda: pickle.dumps(value), lambda: pickle.loads(pickled)),
    }
    for name, make in CODECS.items():
        codec = make()
        found[name] = _pair(codec, value, codec.encode(value))
    return found


def _pair(
    codec: Codec[Any], value: Any, data: bytes
) -> tuple[Callable[[], object], Callable[[], object]]:
    return lambda: codec.encode(value), lambda: codec.decode(data)


def main() -> None:
    """Print the ratios."""
    for title, value in VALUES.items():
        print(title)
        found = pairs(value)
        encode = best([each[0] for each in found.values()])
        decode = best([each[1] for each in found.values()])
        for place, name in enumerate(found):  # json comes first
            ratios = encode[place] / encode[0], decode[place] / decode[0]
            print(f"  {name:12} encode {ratios[0]:6.2f}  decode {ratios[1]:6.2f}  of json")


if __name__ == "__main__":
    main()
