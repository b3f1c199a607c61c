"""Maps and sets are found and removed by value from the other language, with every object codec.

Rule: Java builds its map by `put` in the order of Python's dict, and its set by `add`, sorted, as
Python's set has no order of its own.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Any

import pytest
import redis

from interop.peer.redisson import JavaClient
from interop.peer.values import Java
from interop.tests.conftest import Peers
from interop.tests.support.fleet import connect, url_without_transfer
from pyredisson import Redisson
from pyredisson import codecs as c
from pyredisson.java import JLong, java_class
from tests.support.server import RedisServer

PARCEL = "com.example.Parcel"
WORDS = ["channel", "retry", "coupon", "größe", "", "x" * 70, "AaAa", "BBBB", "AaBB", "BBAa", "😀"]
MANY = [f"key-{number * 7919}" for number in range(100)]


@java_class(PARCEL, serial_version_uid=1)
@dataclass
class Parcel:
    id: Annotated[str, "String"]
    counts: Annotated[dict[str, int], "Map<String, Integer>"]
    names: Annotated[dict[int, str], "HashMap<Long, String>"]
    labels: Annotated[set[str], "Set<String>"]


Row = tuple[Java, Any]


def _map(entries: dict[Any, Any]) -> Row:
    pairs = [(_java(key), _java(each)) for key, each in entries.items()]
    return Java("map", pairs), entries


def _java(value: Any) -> Any:
    if isinstance(value, dict):
        return _map(value)[0]
    if isinstance(value, set | frozenset):
        return Java("set", [_java(each) for each in sorted(value)])
    if isinstance(value, list):
        return Java("list", [_java(each) for each in value])
    return Java("long", int(value)) if isinstance(value, JLong) else value


def _parcel(texts: list[str], numbers: list[int]) -> Row:
    labels = {f"label {each}" for each in texts}
    counts, names = dict.fromkeys(texts, 1), {each: f"n-{each}" for each in numbers}
    java = {
        "id": "p",
        "counts": Java("map", list(counts.items())),
        "names": Java("map", [(Java("long", each), f"n-{each}") for each in numbers]),
        "labels": Java("set", sorted(labels)),
    }
    return Java("pojo", java, PARCEL), Parcel("p", counts, names, labels)


PARCELS = [
    _parcel(WORDS[:3], [-1, 5, 1 << 40]),
    _parcel(WORDS, [-1, -2, 17, 33, 1, 1 << 40, -(1 << 50)]),
    _parcel(MANY, list(range(-500, 500, 7))),
]
EXACT = [  # Java serialization does not look at type arguments
    (java, replace(each, names={JLong(key): name for key, name in each.names.items()}))
    for java, each in PARCELS
]
MAPS = [
    _map(dict.fromkeys(WORDS[:3], 1)),
    _map(dict.fromkeys(WORDS, True)),
    _map({each: f"v-{each}" for each in MANY}),
    _map({"channel": {"retry": 1, "coupon": 2, "colour": 3}, "attempts": [{"b": 1, "a": 2}]}),
]
NUMBERS = [
    _map(dict.fromkeys((100, -1, 17, 33, 1), 1)),
    _map({JLong(each): 1 for each in (1 << 40, -1, 17, 33, 1)}),
]
SETS: list[Row] = [(_java(set(WORDS)), set(WORDS)), (_java({5, -1, 100}), {5, -1, 100})]
ALL = [*MAPS, *NUMBERS, *SETS, *PARCELS]
STREAM = [*MAPS, *NUMBERS, *SETS, *EXACT]
CASES: list[tuple[str, str, Callable[[], c.Codec[Any]], list[Row]]] = [
    ("4.7.0", "Kryo5", lambda: c.Kryo5Codec(schemas=[Parcel]), ALL),
    ("3.19.3", "Kryo5", lambda: c.Kryo5Codec(schemas=[Parcel], release="3.19.3"), ALL),
    ("4.7.0", "JsonJackson", lambda: c.JsonJacksonCodec(schemas=[Parcel]), ALL),
    ("4.7.0", f"TypedJsonJackson:{PARCEL}", lambda: c.TypedJsonJacksonCodec(Parcel), PARCELS),
    ("4.7.0", "JsonJackson3", lambda: c.JsonJackson3Codec(schemas=[Parcel]), ALL),
    ("4.7.0", f"TypedJsonJackson3:{PARCEL}", lambda: c.TypedJsonJackson3Codec(Parcel), PARCELS),
    ("4.7.0", "MsgPackJackson", lambda: c.MsgPackJacksonCodec(schemas=[Parcel]), ALL),
    ("4.7.0", "CborJackson", lambda: c.CborJacksonCodec(schemas=[Parcel]), ALL),
    ("4.7.0", "CborJackson3", lambda: c.CborJackson3Codec(schemas=[Parcel]), ALL),
    ("4.7.0", "SmileJackson", lambda: c.SmileJacksonCodec(schemas=[Parcel]), ALL),
    ("4.7.0", "SmileJackson3", lambda: c.SmileJackson3Codec(schemas=[Parcel]), ALL),
    ("4.7.0", "IonJackson", lambda: c.IonJacksonCodec(schemas=[Parcel]), ALL),
    ("4.7.0", "IonJackson3", lambda: c.IonJackson3Codec(schemas=[Parcel]), ALL),
    ("4.7.0", f"Protobuf:{PARCEL}", lambda: c.ProtobufCodec(Parcel), PARCELS),
    ("4.7.0", "Serialization", lambda: c.SerializationCodec(schemas=[Parcel]), STREAM),
    ("3.18.1", "Marshalling", lambda: c.MarshallingCodec(schemas=[Parcel]), STREAM),
    ("3.12.5", "Fst", c.FstCodec, [*MAPS, *NUMBERS]),
]


@pytest.fixture(params=CASES, ids=[f"{each[0]}-{each[1]}" for each in CASES])
def case(
    request: pytest.FixtureRequest, java: Peers, shared_server: RedisServer
) -> Iterator[tuple[JavaClient, Redisson, str, list[Row]]]:
    release, name, make, rows = request.param
    with redis.Redis(port=shared_server.port) as raw:
        raw.flushall()
    with (
        connect(java(release), url_without_transfer(shared_server)) as client,
        Redisson.from_url(shared_server.url, codec=make(), wire_format=release) as python,
    ):
        yield client, python, name, rows


def test_each_side_finds_and_removes_by_value(
    case: tuple[JavaClient, Redisson, str, list[Row]],
) -> None:
    client, python, codec, rows = case
    queue = python.get_blocking_queue("maps")
    delayed = python.get_delayed_queue(queue, transfer=False)
    theirs = client.blocking_queue("maps", codec=codec)
    theirs_delayed = client.delayed_queue("maps", codec=codec)
    for java, value in rows:
        queue.add(value)
        assert theirs.call("contains", java) is True, java
        assert theirs.call("remove", java) is True
        theirs.call("add", java)
        assert value in queue
        assert queue.remove(*queue.read_all()) is True

        delayed.offer(value, 3600)
        assert theirs_delayed.call("contains", java) is True
        assert theirs_delayed.call("remove", java) is True
        theirs_delayed.call("offer", java, 1, "HOURS")
        assert delayed.remove(value) is True
    assert (queue.size(), delayed.size()) == (0, 0)
    theirs_delayed.destroy()
    delayed.destroy()
