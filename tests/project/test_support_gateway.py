"""The gateway does exactly what its profile says, so no failure is due to the gateway itself."""

import re
import socket
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
import redis
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import ResponseError
from redis.retry import Retry

from tests._async.smoke.steps import STEPS
from tests.support import lua_check
from tests.support.gateway import Gateway, emulated
from tests.support.profiles import CROSSSLOT, PROFILES, Profile
from tests.support.server import RedisServer
from tests.support.smoking import Result, outcome_of, surprises
from tests.support.twins import PATIENCE

IDLE = 0.5


@contextmanager
def client(server: RedisServer, profile: Profile, **options: Any) -> Iterator[tuple[Any, Gateway]]:
    """One connection through a gateway; the client does not reopen it."""
    once: Any = Retry(NoBackoff(), 0)
    with Gateway(server, profile) as gateway:
        made = redis.Redis(port=gateway.port, retry=once, single_connection_client=True, **options)
        with made as client:
            yield client, gateway


def test_gateway_denies_in_the_words_of_the_profile(server: RedisServer) -> None:
    """It also denies a single subcommand. It counts the command, and the connection stays open."""
    profile = Profile(
        "x", denied=frozenset({"TIME", "CLIENT ID"}), words="ERR no {name} ({lower}) here"
    )
    with client(server, profile) as (redis_client, gateway):
        for words, text in (("TIME", "no TIME (time) here"), ("CLIENT ID", "(client|id)")):
            with pytest.raises(ResponseError, match=re.escape(text)):
                redis_client.execute_command(*words.split())
        assert redis_client.client_getname() is None
        assert (gateway.denied["TIME"], gateway.denied["CLIENT"]) == (1, 1)


def test_scripts_cannot_call_a_disabled_command() -> None:
    """The server behind the gateway is started without the command."""
    with emulated(PROFILES["no TIME"]) as gateway, redis.Redis(port=gateway.port) as redis_client:
        for call in (redis_client.time, lambda: redis_client.eval("redis.call('time')", 0)):
            with pytest.raises(ResponseError, match=r"(?i)unknown"):
                call()


def test_gateway_hangs_up_instead_of_a_denial(server: RedisServer) -> None:
    profile = Profile("x", denied=frozenset({"TIME"}), hangs_up=True)
    with client(server, profile) as (redis_client, _), pytest.raises(RedisConnectionError):
        redis_client.time()


@pytest.mark.parametrize("splits", [True, False])
def test_request_behind_a_wait_runs_after_or_before_it(server: RedisServer, splits: bool) -> None:
    """Its reply comes behind the wait's either way."""
    with client(server, Profile("x", splits=splits)) as (redis_client, _):
        pipe = redis_client.pipeline(transaction=False)
        pipe.blpop("q", 30)
        pipe.llen("q")
        with ThreadPoolExecutor() as pool, server.client() as other:
            waiting = pool.submit(pipe.execute)
            while not other.info("clients")["blocked_clients"]:
                time.sleep(0.01)
            other.rpush("q", "a", "b", "c")
            # Without a split BLPOP has taken one before LLEN counts.
            assert waiting.result(30) == [(b"q", b"a"), 0 if splits else 2]


def test_gateway_forgets_an_idle_flow(server: RedisServer) -> None:
    """The next request on it fails. A flow that is used stays open."""
    with client(server, Profile("x", idle=IDLE)) as (redis_client, gateway):
        for _ in range(10):
            redis_client.ping()
            time.sleep(IDLE / 5)
        while not gateway.forgotten:
            time.sleep(IDLE / 5)
        with pytest.raises(RedisConnectionError):
            redis_client.ping()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts segments")
def test_keepalives_keep_a_flow(server: RedisServer) -> None:
    """Keepalives are segments without bytes, which a device in between sees as well."""
    options = {socket.TCP_KEEPIDLE: 1, socket.TCP_KEEPINTVL: 1}
    keeping = {"socket_keepalive": True, "socket_keepalive_options": options}
    with client(server, Profile("x", idle=3.0), **keeping) as (redis_client, gateway):
        redis_client.ping()
        time.sleep(5)
        assert redis_client.ping()
        assert gateway.forgotten == 0


def test_gateway_refuses_keys_of_several_slots(server: RedisServer) -> None:
    """It does not refuse keys of one slot."""
    with client(server, Profile("x", one_slot=CROSSSLOT)) as (redis_client, _):
        assert redis_client.delete("{q}:a", "{q}:b") == 0
        assert redis_client.eval("return #KEYS", 2, "{q}:a", "{q}:b") == 2
        for words in (
            ("DEL", "a", "b"),
            ("EVAL", "return #KEYS", 2, "a", "b"),
            ("BLMPOP", 1, 2, "a", "b", "LEFT"),
        ):
            with pytest.raises(ResponseError, match="same slot"):
                redis_client.execute_command(*words)


@pytest.mark.parametrize(
    ("script", "keys", "told"),
    [
        ("return redis.call('get', KEYS[1])", ["a"], None),
        ("return redis.pcall('time') -- redis.call(x)", ["a"], None),
        ("local c = 'get' return redis.call(c, KEYS[1])", ["a"], lua_check.NOT_LITERAL),
        ("return redis.call('get', KEYS[1] .. 'x')", ["a"], lua_check.NOT_IN_KEYS),
        ("for i = 1, 1 do redis.call('get', KEYS[i]) end", ["a"], lua_check.NOT_IN_KEYS),
        ("return redis.call('get', ARGV[1])", ["a"], lua_check.NOT_IN_KEYS),
        ("return 1", [], lua_check.NO_KEYS),
        ("return redis.call('del', KEYS[1], KEYS[2])", ["a", "b"], lua_check.SEVERAL_SLOTS),
    ],
)
def test_gateway_checks_lua(
    server: RedisServer, script: str, keys: list[str], told: str | None
) -> None:
    """Alibaba's proxy does so where `script_check_enable` is 1."""
    with client(server, Profile("x", checks_lua=True)) as (redis_client, _):
        if told is None:
            redis_client.eval(script, len(keys), *keys)
            return
        with pytest.raises(ResponseError) as caught:
            redis_client.eval(script, len(keys), *keys)
    assert told.endswith(str(caught.value))


def test_gateway_passes_messages_and_reports_its_version(server: RedisServer) -> None:
    """INFO reports the version of the profile."""
    with client(server, Profile("x", version="6.0.16")) as (redis_client, gateway):
        assert redis_client.info("server")["redis_version"] == "6.0.16"
        listener: Any = redis.Redis(port=gateway.port)
        with listener.pubsub() as subscription:
            subscription.subscribe("channel")
            assert subscription.get_message(timeout=PATIENCE)["type"] == "subscribe"
            redis_client.publish("channel", "hello")
            assert subscription.get_message(timeout=PATIENCE)["data"] == b"hello"


def test_profiles_name_existing_steps() -> None:
    """A profile of a vendor names its source."""
    for profile in PROFILES.values():
        assert set(profile.refused) <= set(STEPS)
        assert profile.source or profile.name[0].islower() or profile.version


def test_unexpected_results_are_surprises() -> None:
    """A refusal without advice, a refusal that is not expected, and a success that is not."""
    assert outcome_of(ResponseError("unknown command 'TIME'")) == "failed"
    assert outcome_of(ResponseError("TIME of 'q' needs Redis 6.2 or newer")) == "refused"
    assert outcome_of(KeyError("use")) == "failed"
    results = [Result("a", "ok", 0), Result("b", "refused", 0, note="needs x")]
    assert surprises(results, {"b": "needs x"}) == []
    assert len(surprises(results, {})) == 1
    assert len(surprises(results, {"a": "needs x", "b": "needs y"})) == 2
