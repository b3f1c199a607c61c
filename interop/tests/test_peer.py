"""The Java peer itself: its protocol, its types, its errors, and its end with the parent."""

import os
import signal
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from interop.peer import Java, JavaError, UnavailableError, how
from interop.peer.build import MATRIX
from interop.peer.values import built, equal_to, sink
from interop.tests.conftest import Clients, Peers
from tests.support.server import RedisServer
from tests.support.topology import RedisCluster, SentinelGroup
from tests.support.twins import until

VALUES = [
    Java("string", "héllo 😀"),
    Java("string", ""),
    Java("int", -1),
    Java("int", 2**31 - 1),
    Java("long", 5),
    Java("long", -(2**63)),
    Java("double", 1.5),
    Java("bool", True),
    Java("list", [Java("string", "a"), Java("int", 1), Java("long", 2), Java("null")]),
    Java("linkedlist", [Java("long", 1)]),
    Java("set", [Java("string", "a")]),
    Java("map", [(Java("string", "k"), Java("list", [Java("bool", False)]))]),
    Java("list", [Java("array:string", [Java("string", "a"), Java("string", "b")])]),
    Java("bigdecimal", "12.50"),
    Java("date", 1_700_000_000_000),
    Java("pojo", {"orderId": "A1", "action": "pay", "createdAt": 5}, "com.example.OrderTask"),
]
KRYO_ONLY = [
    Java("double", float("inf")),
    Java("float", 0.1),
    Java("short", 300),
    Java("byte", -1),
    Java("char", "a"),
    Java("bytes", b"\x00\xff"),
    Java("array:p:int", [Java("int", 1), Java("int", -1)]),
    Java("array:array:long", [Java("array:long", [Java("long", 7)])]),
    Java("treemap", [(Java("string", "k"), Java("string", "v"))]),
    Java("bigint", str(2**70)),
    Java("enum", ["java.util.concurrent.TimeUnit", "SECONDS"]),
    Java("uuid", "01234567-89ab-cdef-0123-456789abcdef"),
    Java("instant", "2023-11-14T22:13:20.123456789Z"),
    Java("duration", "PT1.5S"),
]


def typed_fields(value: Java) -> Java:
    """Return a pojo as it comes back, with its fields typed."""
    if value.t != "pojo":
        return value
    fields = {"orderId": "string", "action": "string", "createdAt": "long"}
    return Java("pojo", {name: Java(t, value.v[name]) for name, t in fields.items()}, value.cls)


@pytest.mark.parametrize("release", MATRIX)
def test_java_offers_and_java_takes(release: str, java_client: Clients) -> None:
    client = java_client(release, codec="String")
    waiting = client.blocking_queue("orders").background("take")
    client.delayed_queue("orders").call("offer", "order-1", 200, "MILLISECONDS")
    assert waiting.result().value == Java("string", "order-1")


@pytest.mark.parametrize("release", MATRIX)
def test_the_peer_is_the_release_asked_for(release: str, java: Peers) -> None:
    peer = java(release)
    assert peer.info["redisson"] == release
    assert peer.runs_as == ("container" if how().startswith("container") else "jvm")


def test_a_peer_that_died_is_started_again(java: Peers) -> None:
    release = MATRIX[0]
    died = java(release)
    died.kill()
    again = java(release)
    assert again is not died
    assert again.info["redisson"] == release
    assert java(release) is again


@pytest.mark.parametrize("release", MATRIX)
@pytest.mark.parametrize("codec", ["Kryo5", "JsonJackson"])
def test_typed_values_come_back_as_they_went(
    release: str, codec: str, java_client: Clients
) -> None:
    values = VALUES + (KRYO_ONLY if codec == "Kryo5" else [])
    queue = java_client(release).queue("values", codec=codec)
    for value in values:
        queue.call("offer", value)
    assert queue.typed("readAll").v == [typed_fields(value) for value in values]


def test_plain_arguments_bend_to_the_parameters(java_client: Clients) -> None:
    client = java_client()
    queue = client.blocking_deque("q", codec="Kryo5")
    queue.call("addAll", ["a", 1, 2**40, 0.5, True, None])
    types = [each.t for each in queue.typed("readAll").v]
    assert types == ["string", "int", "long", "double", "bool", "null"]
    assert queue.call("poll", 2) == ["a", 1]
    assert queue.call("poll", 1, "SECONDS") == 2**40


def test_arguments_that_are_more_than_data(java_client: Clients) -> None:
    client = java_client(codec="String")
    deque = client.blocking_deque("q")
    deque.call("addAll", ["A", "B", "C"])
    move = built("org.redisson.api.queue.DequeMoveArgs", ("pollFirst",), ("addLastTo", "other"))
    assert deque.call("move", timedelta(seconds=1), move) == "A"
    filled = deque.reply("drainTo", sink(), 5)
    assert (filled.value.plain(), filled.out.plain()) == (2, ["B", "C"])
    delayed = client.delayed_queue("d")
    for value in "ABC":
        delayed.call("offer", value, 1, "HOURS")
    assert delayed.call("removeIf", equal_to("B")) is True
    assert delayed.call("iterator.remove", "C") == ["A", "C"]
    assert delayed.call("expire", timedelta(seconds=100)) is True
    assert delayed.call("iterator") == ["A"]
    assert delayed.call("removeAsync", "A") is True


@pytest.mark.parametrize(
    ("method", "arguments", "error"),
    [
        ("offer", ("x", -5, "MILLISECONDS"), "java.lang.IllegalArgumentException"),
        ("element", (), "java.util.NoSuchElementException"),
        ("add", ("x",), "java.lang.UnsupportedOperationException"),
        ("nonsense", (), "java.lang.NoSuchMethodException"),
        ("offer", ("x", "y", "z"), "java.lang.NoSuchMethodException"),
    ],
)
def test_errors_come_back_with_their_class(
    method: str, arguments: tuple[object, ...], error: str, java_client: Clients
) -> None:
    with pytest.raises(JavaError) as caught:
        java_client(codec="String").delayed_queue("q").call(method, *arguments)
    assert caught.value.java_class == error


def test_an_error_of_the_server_comes_back(java_client: Clients, server: RedisServer) -> None:
    server.client().set("q", "no list")
    with pytest.raises(JavaError, match="WRONGTYPE"):
        java_client(codec="String").queue("q").call("size")


def test_peer_offers_and_drains_many_at_once(java_client: Clients) -> None:
    client = java_client(codec="String")
    receiving = client.blocking_queue("q").draining(seconds=20, count=2000, threads=2)
    done = client.delayed_queue("q").offer_many(2000, delay=(0, 300), prefix="n", stamp=True)
    drained = client.blocking_queue("q").drained(receiving)
    assert (done["count"], done["errors"]) == (2000, 0)
    assert sorted(value.partition("@")[0] for value in drained.values) == sorted(
        f"n{i}" for i in range(2000)
    )
    assert min(drained.lateness()) >= 0


@pytest.mark.parametrize("mode", [{"threads": 2}, {"window": 20}])
def test_measured_offers_are_all_stored(java_client: Clients, mode: dict[str, int]) -> None:
    delayed = java_client(codec="String").delayed_queue("q")
    done = delayed.measure_offers("value", 0.1, **mode)
    assert done["count"] == delayed.call("size") > 0
    assert done["seconds"] >= 0.1
    assert done["cpu"] > 0


def test_handles_count_and_destroy_ends_the_transfer(
    java_client: Clients, server: RedisServer
) -> None:
    client = java_client(codec="String")
    channel = "redisson_delay_queue_channel:{q}"
    first = client.delayed_queue("q").open()
    second = client.delayed_queue("q", handle="second").open()
    first.destroy()
    assert server.client().pubsub_numsub(channel) == [(channel.encode(), 1)]
    second.destroy()
    assert server.client().pubsub_numsub(channel) == [(channel.encode(), 0)]


def test_a_waiting_take_can_be_interrupted(java_client: Clients, raw: Any) -> None:
    client = java_client(codec="String")
    waiting = client.blocking_queue("q").background("take")
    until(lambda: raw.info("clients")["blocked_clients"] == 1, "it waits")
    waiting.interrupt()
    with pytest.raises(JavaError) as caught:
        waiting.result()
    assert caught.value.simple_name == "InterruptedException"


def test_listener_receives_elements(java_client: Clients) -> None:
    client = java_client(codec="String")
    queue = client.blocking_queue("q")
    listener = queue.listen()
    queue.call("addAll", ["a", "b"])
    until(lambda: len(listener.heard().values) == 2, "it hears")
    listener.stop()
    assert listener.heard().values == ["a", "b"]


def test_a_name_mapper_and_a_database(java_client: Clients, server: RedisServer) -> None:
    url = server.url.removesuffix("0") + "3"
    client = java_client(MATRIX[0], url, codec="String", name_prefix="app:")
    client.queue("q").call("add", "x")
    assert server.client(db=3).keys() == [b"app:q"]


@pytest.mark.parametrize("release", [MATRIX[0], MATRIX[-1]])
def test_a_cluster_and_sentinels(
    release: str, java_client: Clients, cluster: RedisCluster, sentinels: SentinelGroup
) -> None:
    addresses = [f"redis://127.0.0.1:{port}" for _, port in sentinels.addresses]
    clients = [
        java_client(release, cluster.url, mode="cluster", codec="String"),
        java_client(
            release, *addresses, mode="sentinel", master=sentinels.service_name, codec="String"
        ),
    ]
    for client in clients:
        client.delayed_queue("orders").call("offer", "x", 100, "MILLISECONDS")
        assert client.blocking_queue("orders").call("poll", 30, "SECONDS") == "x"


def test_a_codec_without_a_server(java: Peers) -> None:
    peer = java(MATRIX[0])
    assert peer.encode("Kryo5", [Java("int", 42), "a"]) == [b"\x02\x54", b"\x03\x82a"]
    assert peer.decode("JsonJackson", [b'["java.lang.Long",1]']) == [Java("long", 1)]


_ORPHAN = """
import time
from interop.peer import JavaPeer
peer = JavaPeer().start()
print(peer.info["port"], flush=True)
time.sleep(600)
"""


def test_the_peer_ends_with_a_killed_parent(java: Peers) -> None:
    java(MATRIX[0])  # build what is missing, or skip the test
    parent = subprocess.Popen(
        [sys.executable, "-c", _ORPHAN], stdout=subprocess.PIPE, cwd=Path(__file__).parents[2]
    )
    assert parent.stdout is not None
    with parent.stdout:
        port = int(parent.stdout.readline())
    assert _listening(port)
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait()
    until(lambda: not _listening(port), "the peer ends")


def _listening(port: int) -> bool:
    import socket

    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_a_forced_engine_must_be_there(monkeypatch: pytest.MonkeyPatch) -> None:
    from interop.peer import java_peer as peer

    monkeypatch.setenv("PYREDISSON_JAVA", "container")
    monkeypatch.setattr(peer, "find_engine", lambda: None)
    with pytest.raises(UnavailableError, match="no container engine"):
        peer.JavaPeer().start()
    monkeypatch.setenv("PYREDISSON_JAVA", "docker")
    with pytest.raises(ValueError, match="PYREDISSON_JAVA"):
        peer.JavaPeer().start()
