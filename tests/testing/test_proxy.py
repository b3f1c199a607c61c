"""Except for the time, a client sees no difference between a test server and a plain one."""

from collections.abc import Iterator
from typing import Any

import pytest
import redis

from pyredisson.testing import Clock, RedissonServer

READ_TIME = "return redis.call('TIME')"


@pytest.fixture(params=[2, 3])
def raw(clocked: RedissonServer, request: pytest.FixtureRequest) -> Iterator[Any]:
    with redis.Redis(port=clocked.port, protocol=request.param, decode_responses=True) as client:
        client.response_callbacks.clear()
        yield client


@pytest.fixture(params=[2, 3])
def both(clocked: RedissonServer, request: pytest.FixtureRequest) -> Iterator[list[Any]]:
    """Plain clients of the test server and of the server behind it."""
    ports = (clocked.port, clocked._server.port)
    clients = [redis.Redis(port=port, protocol=request.param) for port in ports]
    for client in clients:
        client.response_callbacks.clear()
    yield clients
    for client in clients:
        client.close()


SAME: list[tuple[Any, ...]] = [
    ("SET", "key", "value", "EXAT", "4102444800"),
    ("PEXPIRETIME", "key"),
    ("EXPIRETIME", "key"),
    ("SET", "key", "EXAT", "NX", "GET"),
    ("SET", "key", "v", "PXAT", "4102444800123", "GET"),
    ("SET", "key", "v", "PXAT", "none"),
    ("SET", "key", "v", "PXAT"),
    ("GETEX", "key", "EXAT", "4102444801"),
    ("GETEX", "absent", "PXAT", "4102444801"),
    ("PEXPIRETIME", "key"),
    ("EXPIREAT", "key", "4102444802", "XX", "GT"),
    ("PEXPIREAT", "key", "4102444802000", "NX"),
    ("PEXPIREAT", "key", "soon"),
    ("PEXPIREAT", "absent", "4102444802000"),
    ("EXPIRETIME", "key"),
    ("PERSIST", "key"),
    ("EXPIRETIME", "key"),
    ("PEXPIRETIME", "absent"),
    ("EVAL", "return {KEYS[1], ARGV[1], #ARGV, redis.sha1hex('')}", 1, "k", "a"),
    ("EVAL", "return redis.call('SET', KEYS[1], 'v', 'PXAT', 4102444800000)", 1, "other"),
    ("EVAL", "return server.call('pexpiretime', KEYS[1])", 1, "other"),
    ("EVAL", "return redis.pcall('EXPIREAT', KEYS[1], '1')", 1, "other"),
    ("EVAL", "return redis.pcall('EXPIREAT', KEYS[1]).err", 1, "other"),
    ("EVAL", "return redis.call('GET', KEYS[1])", 1, "other"),
    ("EVAL", "#!lua flags=no-writes\nreturn redis.call('SET', 'a', 'b')", 0),
    ("EVALSHA", "e0e1f9fabfc9d4800c877a703b823ac0578ff8db", 0),
    ("SCRIPT", "EXISTS", "e0e1f9fabfc9d4800c877a703b823ac0578ff8db"),
]


def test_replies_are_the_same(both: list[Any]) -> None:
    """The commands run on each server in turn, each time from no keys."""
    replies: list[list[Any]] = [[], []]
    for client, found in zip(both, replies, strict=True):
        client.execute_command("FLUSHALL")
        for words in SAME:
            try:
                found.append(client.execute_command(*words))
            except redis.ResponseError as error:
                found.append(str(error).partition(" script:")[0])
    for words, here, there in zip(SAME, *replies, strict=True):
        assert here == there, words


def test_every_way_to_the_time_is_moved(raw: Any, clock: Clock) -> None:
    sha = raw.execute_command("SCRIPT", "LOAD", READ_TIME)
    clock.advance(days=1, seconds=0.999)
    now = int(clock.now().timestamp())
    assert clock.ahead.days == 1
    with raw.pipeline() as transaction:
        transaction.execute_command("TIME")
        transaction.execute_command("EVAL", READ_TIME, 0)
        times = transaction.execute()
    times += [raw.execute_command("EVALSHA", sha, 0), raw.execute_command("TIME")]
    assert all(0 <= int(seconds) - now < 10 for seconds, _ in times)
    assert all(0 <= int(micros) < 1_000_000 for _, micros in times)


def test_moments_are_those_of_the_moved_clock(raw: Any, clock: Clock) -> None:
    clock.advance(hours=1)
    now = int(clock.now().timestamp())
    raw.execute_command("SET", "key", "value", "EXAT", now + 60)
    assert raw.execute_command("EXPIRETIME", "key") == now + 60
    assert 0 < raw.execute_command("TTL", "key") <= 60
    clock.advance(seconds=30)
    assert raw.execute_command("PEXPIRETIME", "key") == (now + 60) * 1000
    assert 0 < raw.execute_command("TTL", "key") <= 30
    raw.execute_command("EXPIREAT", "key", now)
    assert raw.execute_command("GET", "key") is None


def test_a_script_behind_a_wait_runs_by_the_time_at_which_it_runs(
    clocked: RedissonServer, clock: Clock
) -> None:
    with redis.Redis(port=clocked.port) as raw:
        connection = raw.connection_pool.get_connection()
        wait = connection.pack_command("BLPOP", "list", 30)
        script = connection.pack_command("EVAL", READ_TIME, 0)
        connection.send_packed_command([*wait, *script])
        clock.advance(hours=1)
        raw.rpush("list", "value")
        connection.read_response()
        seconds, _ = connection.read_response()
        raw.connection_pool.release(connection)
    assert abs(int(seconds) - clock.now().timestamp()) < 10


def test_large_and_many_requests(clocked: RedissonServer) -> None:
    with redis.Redis(port=clocked.port) as raw, raw.pipeline(transaction=False) as pipeline:
        value = b"\r\n*3\r\n" * 500_000
        pipeline.set("key", value)
        for _ in range(2000):
            pipeline.get("absent")
        pipeline.get("key")
        assert pipeline.execute() == [True, *[None] * 2000, value]
