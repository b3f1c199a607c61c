"""The values with which codecs are measured, and how each codec is made for a value."""

# ruff: noqa: N815 - fields have Java's names
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from datetime import datetime
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any

from pyredisson import codecs
from pyredisson.codecs import Codec
from pyredisson.java.schema import java_class, java_enum

__all__ = ["CODECS", "SCHEMAS", "VALUES", "Basket", "Order", "message_of"]


@java_class("com.example.Order", serial_version_uid=1)
@dataclass
class Order:
    """An object of five fields."""

    orderId: Annotated[str, "String"]
    action: Annotated[str, "String"]
    createdAt: Annotated[int, "long"]
    attempts: Annotated[int, "int"]
    amount: Annotated[float, "double"]


@java_class("com.example.Basket", serial_version_uid=1)
@dataclass
class Basket:
    """Objects, texts and numbers inside an object."""

    customer: Annotated[str, "String"]
    tags: Annotated[list[str], "List<String>"]
    counts: Annotated[dict[str, int], "Map<String, Integer>"]
    orders: Annotated[list[Order], "List<com.example.Order>"]


@java_class("com.example.Address", serial_version_uid=1)
@dataclass
class Address:
    """A part of a Customer."""

    street: Annotated[str, "String"]
    city: Annotated[str, "String"]
    code: Annotated[int, "int"]


@java_class("com.example.Customer", serial_version_uid=1)
@dataclass
class Customer:
    """A part of a Sale."""

    name: Annotated[str, "String"]
    age: Annotated[int, "int"]
    home: Annotated[Address, "com.example.Address"]
    work: Annotated[Address, "com.example.Address"]


@java_class("com.example.Sale", serial_version_uid=1)
@dataclass
class Sale:
    """Objects in three levels."""

    id: Annotated[int, "Long"]
    buyer: Annotated[Customer, "com.example.Customer"]
    seller: Annotated[Customer, "com.example.Customer"]
    note: Annotated[str, "String"]


@java_enum("com.example.Status")
class Status(Enum):
    """An enum."""

    NEW = 0
    PAID = 1


@java_class("com.example.Item", serial_version_uid=1)
@dataclass
class Item:
    """An element of a Task's list."""

    sku: Annotated[str, "String"]
    quantity: Annotated[int, "int"]
    price: Annotated[Decimal, "java.math.BigDecimal"]


@java_class("com.example.Task", serial_version_uid=1)
@dataclass
class Task:
    """A task as services send it."""

    id: Annotated[int, "Long"]
    action: Annotated[str, "String"]
    amount: Annotated[Decimal, "java.math.BigDecimal"]
    createdAt: Annotated[datetime, "java.time.LocalDateTime"]
    status: Annotated[Status, "com.example.Status"]
    items: Annotated[list[Item], "List<com.example.Item>"]
    attributes: Annotated[dict[str, Any], "Map<String, Object>"]


ORDER = Order("order-12345", "pay", 1_700_000_000_000, 3, 12.5)
_HOME, _WORK = Address("Main Street 1", "Springfield", 12345), Address("Side Road", "Bath", 543)
VALUES: dict[str, Any] = {
    "object of 5 fields": ORDER,
    "nested objects": Basket("c-1", ["a", "bc", "def"], {"x": 1, "y": 2}, [ORDER] * 5),
    "objects in 3 levels": Sale(
        1234567, Customer("Homer", 39, _HOME, _WORK), Customer("Lisa", 8, _WORK, _HOME), "urgent"
    ),
    "task": Task(
        9_007_199_254,
        "charge",
        Decimal("149.90"),
        datetime(2024, 5, 17, 10, 30, 15, 123456),
        Status.PAID,
        [Item("sku-1", 2, Decimal("19.95")), Item("sku-22", 1, Decimal("110.00"))],
        {"channel": "web", "retry": 3, "coupon": "SPRING"},
    ),
    "list of 20 objects": [
        Order(f"order-{n}", "pay", 1_700_000_000_000, n, 12.5) for n in range(20)
    ],
    "list of 20 ints": [number * number * 31 for number in range(20)],
    "text": "order-12345",
    "list of 20 texts": [f"order-{number}" for number in range(20)],
    "number": 1_700_000_000_000,
}

SCHEMAS = [Order, Basket, Address, Customer, Sale, Status, Item, Task]
AVRO_ORDER = {
    "type": "record",
    "name": "Order",
    "namespace": "com.example",
    "fields": [
        {"name": each.name, "type": kind}
        for each, kind in zip(
            fields(Order), ("string", "string", "long", "int", "double"), strict=True
        )
    ],
}
AVRO = {
    Order: AVRO_ORDER,
    Basket: {
        "type": "record",
        "name": "Basket",
        "namespace": "com.example",
        "fields": [
            {"name": "customer", "type": "string"},
            {"name": "tags", "type": {"type": "array", "items": "string"}},
            {"name": "counts", "type": {"type": "map", "values": "int"}},
            {"name": "orders", "type": {"type": "array", "items": AVRO_ORDER}},
        ],
    },
    str: {"type": "string"},
    int: {"type": "long"},
}


def _with_schemas(name: str) -> Callable[[Any], Codec[Any]]:
    return lambda _: getattr(codecs, name)(schemas=SCHEMAS)


def _typed(name: str) -> Callable[[Any], Codec[Any]]:
    return lambda value: getattr(codecs, name)(type(value), schemas=SCHEMAS)


def _plain(name: str) -> Callable[[Any], Codec[Any]]:
    return lambda _: getattr(codecs, name)()


def _avro(name: str) -> Callable[[Any], Codec[Any]]:
    return lambda value: getattr(codecs, name)(type(value), AVRO[type(value)], schemas=SCHEMAS)


def _packed(name: str) -> Callable[[Any], Codec[Any]]:
    return lambda _: getattr(codecs, name)(codecs.Kryo5Codec(schemas=SCHEMAS)).for_release("4.7.0")


def message_of(value: Any) -> Any:
    """Return an Order as a Protobuf message, of a class made as protoc makes it."""
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory  # noqa: PLC0415 - an extra

    file = descriptor_pb2.FileDescriptorProto(name="order.proto", package="com.example")
    described = file.message_type.add(name="Order")
    kinds = {str: 9, int: 3, float: 1}
    for number, (name, part) in enumerate(vars(value).items(), 1):
        described.field.add(name=name, number=number, type=kinds[type(part)], label=1)
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    found = message_factory.GetMessageClass(pool.FindMessageTypeByName("com.example.Order"))
    return found(**vars(value))


# Each takes the value. An error that it raises means that the codec is not for that value.
CODECS: dict[str, Callable[[Any], Codec[Any]]] = {
    "Kryo5Codec": _with_schemas("Kryo5Codec"),
    "JsonJacksonCodec": _with_schemas("JsonJacksonCodec"),
    "TypedJsonJacksonCodec": _typed("TypedJsonJacksonCodec"),
    "JsonJackson3Codec": _with_schemas("JsonJackson3Codec"),
    "TypedJsonJackson3Codec": _typed("TypedJsonJackson3Codec"),
    "MsgPackJacksonCodec": _with_schemas("MsgPackJacksonCodec"),
    "CborJacksonCodec": _with_schemas("CborJacksonCodec"),
    "CborJackson3Codec": _with_schemas("CborJackson3Codec"),
    "SmileJacksonCodec": _with_schemas("SmileJacksonCodec"),
    "SmileJackson3Codec": _with_schemas("SmileJackson3Codec"),
    "IonJacksonCodec": _with_schemas("IonJacksonCodec"),
    "IonJackson3Codec": _with_schemas("IonJackson3Codec"),
    "AvroJacksonCodec": _avro("AvroJacksonCodec"),
    "AvroJackson3Codec": _avro("AvroJackson3Codec"),
    **{
        name: _packed(name)
        for name in ("LZ4Codec", "LZ4CodecV2", "SnappyCodec", "SnappyCodecV2", "ZStdCodec")
    },
    "ProtobufCodec": lambda value: codecs.ProtobufCodec(type(value)),
    "SerializationCodec": _with_schemas("SerializationCodec"),
    "MarshallingCodec": _with_schemas("MarshallingCodec"),
    "FstCodec": _with_schemas("FstCodec"),
    "KryoCodec": _with_schemas("KryoCodec"),
    "StringCodec": _plain("StringCodec"),
    "LongCodec": _plain("LongCodec"),
}
