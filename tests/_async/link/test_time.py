"""The clocks of servers, with scripted answers to TIME."""

from __future__ import annotations

from typing import Any

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import NoPermissionError, ResponseError

from pyredisson._async.link import server
from pyredisson._async.link.server import AsyncServer
from pyredisson._runtime.concurrency import monotonic
from tests._async.link.fake_servers import AsyncFakeNet


def lost() -> Exception:
    return RedisConnectionError("reset")


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let any answer to TIME count as quick, even while this machine is busy."""
    monkeypatch.setattr(server, "_EXACT", 1.0)


@pytest.mark.usefixtures("patient")
async def test_the_time_is_asked_for_once() -> None:
    net = AsyncFakeNet(home=[[b"1700000000", b"5000"]], other=[])
    link = net.link()
    assert await link.clock("q") is await link.clock("q")
    assert net.heard == ["home: TIME"]


class Watch:
    """A clock that only the test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def go(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    """The clock that a server uses as this machine's clock."""
    watch = Watch()
    monkeypatch.setattr(server, "monotonic", watch)
    return watch


async def test_the_quickest_of_three_answers_counts(watch: Watch) -> None:
    pauses = [0.2, 0.01, 0.2, 0.2]
    asked: Any = AsyncServer(lambda: None, 1.0)  # type: ignore[arg-type, return-value]  # unused

    async def timed(words: tuple[str, ...]) -> tuple[float, Any]:
        sent = watch.now
        if words[0] == "INFO":
            return sent, b""
        watch.go(pauses.pop(0))
        return sent, [b"1700000000", b"0"]

    asked._timed_call = timed
    await asked.learn_time()
    assert pauses == [0.2]
    assert asked.clock.latest_ms(0) - asked.clock.earliest_ms(0) < 150


async def test_answer_from_before_a_clock_step_does_not_count(
    watch: Watch,
) -> None:
    asked: Any = AsyncServer(lambda: None, 1.0)  # type: ignore[arg-type, return-value]  # unused
    answers = [[b"1700000000", b"0"], [b"1700003600", b"0"]]

    async def timed(words: tuple[str, ...]) -> tuple[float, Any]:
        if words[0] == "INFO":
            return watch.now, b""
        if len(answers) == 2:
            asked.clock.moved()
        return watch.now, answers.pop(0)

    asked._timed_call = timed
    await asked.learn_time()
    assert asked.clock.earliest_ms(watch.now) == 1700003600_000
    assert not asked.clock.stale(watch.now)


async def test_lost_second_answer_of_time_raises_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(server, "_EXACT", 0.0)
    net = AsyncFakeNet(home=[[b"1700000000", b"0"], lost()], other=[])
    assert not (await net.link().clock("q")).stale(monotonic())
    assert net.heard == ["home: TIME", "home: TIME"]


async def test_clock_is_refreshed_ahead_of_its_use() -> None:
    net = AsyncFakeNet(home=[[b"1700000000", b"0"]] * 6, other=[])
    link = net.link()
    await link.clock("q")
    asked = len(net.heard)
    await link.clock("q", ahead=5.0)
    assert len(net.heard) == asked
    await link.clock("q", ahead=20.0)
    assert len(net.heard) > asked


@pytest.mark.usefixtures("patient")
async def test_time_of_connecting_does_not_widen_the_clocks_bounds(watch: Watch) -> None:
    """The clock's bounds include only the time of the answer, not of connecting."""
    answers = [[b"1700000000", b"0"]]
    net = AsyncFakeNet(home=answers, other=[], connecting=lambda: watch.go(0.2))
    clock = await net.link().clock("q")
    assert clock.latest_ms(0) - clock.earliest_ms(0) < 150


@pytest.mark.usefixtures("patient")
async def test_a_lost_answer_of_time_is_asked_for_again() -> None:
    net = AsyncFakeNet(home=[lost(), [b"1700000000", b"5000"]], other=[])
    await net.link().clock("q")
    assert (net.heard, net.looks) == (["home: TIME", "home: TIME"], 1)
    net = AsyncFakeNet(home=[lost(), lost()], other=[])
    with pytest.raises(RedisConnectionError):
        await net.link().clock("q")


async def test_client_without_the_right_to_time_uses_this_machines_clock(
    caplog: pytest.LogCaptureFixture,
) -> None:
    net = AsyncFakeNet(home=[NoPermissionError("no"), NoPermissionError("no")], other=[])
    link = net.link()
    for _ in range(2):
        await link.clock("q")
    assert caplog.text.count("TIME is rejected") == 1
    with pytest.raises(ResponseError, match="BUSY"):
        await AsyncFakeNet(home=[ResponseError("BUSY Redis")], other=[]).link().clock("q")
