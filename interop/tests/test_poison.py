"""A value of Java's that Python cannot read is kept, and can return to either side."""

from dataclasses import dataclass
from typing import Annotated

import pytest
import redis

from interop.peer.values import Java
from interop.tests.conftest import Peers
from interop.tests.support.fleet import connect
from pyredisson import DecodeError, Redisson
from pyredisson.codecs import Kryo5Codec
from pyredisson.java import java_class
from tests.support.server import RedisServer
from tests.support.twins import PATIENCE, until

PARCEL = "com.example.Parcel"


@java_class(PARCEL)
@dataclass
class Parcel:
    id: Annotated[str, "String"]
    counts: Annotated[dict[str, int], "Map<String, Integer>"]
    names: Annotated[dict[int, str], "HashMap<Long, String>"]
    labels: Annotated[set[str], "Set<String>"]


VALUE = Parcel("p", {"retry": 1}, {5: "five"}, {"new"})
JAVA = Java(
    "pojo",
    {
        "id": "p",
        "counts": Java("map", [("retry", 1)]),
        "names": Java("map", [(Java("long", 5), "five")]),
        "labels": Java("set", ["new"]),
    },
    PARCEL,
)


def test_a_class_that_python_does_not_know_yet(
    java: Peers, shared_server: RedisServer, raw: redis.Redis
) -> None:
    """One comes through the delayed queue, one by a poll of it, one directly."""
    with (
        connect(java("4.7.0"), shared_server.url) as client,
        Redisson.from_url(shared_server.url, release="4.7.0") as python,
    ):
        theirs = client.blocking_queue("parcels", codec="Kryo5")
        delayed = client.delayed_queue("parcels", codec="Kryo5")
        old = python.get_blocking_queue("parcels", Kryo5Codec())
        delayed.call("offer", JAVA, 1, "MILLISECONDS")
        with pytest.raises(DecodeError) as caught:
            old.poll(timeout=PATIENCE)
        assert caught.value.class_name == PARCEL
        delayed.call("offer", JAVA, 1, "HOURS")
        with pytest.raises(DecodeError):
            python.get_delayed_queue(old, transfer=False).poll()
        theirs.call("add", JAVA)
        subscription = old.subscribe_on_elements(print)
        poison = python.get_poison_list(old)
        until(lambda: poison.size() == 3, "all are kept")
        subscription.close()
        assert {each.raw for each in poison} == {caught.value.raw}
        assert (theirs.call("size"), delayed.call("size"), poison.requeue()) == (0, 0, 0)

        assert poison.requeue(1, include_undecodable=True) == 1
        assert theirs.call("poll") == vars(VALUE)
        new = python.get_blocking_queue("parcels", Kryo5Codec(schemas=[Parcel]))
        assert python.get_poison_list(new).requeue() == 2
        assert new.poll(5) == [VALUE, VALUE]
        delayed.destroy()
    assert raw.keys() == []
