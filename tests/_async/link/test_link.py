"""The link over fake servers: tests of every branch and of the sent requests."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest
from redis.exceptions import (
    AskError,
    AuthenticationError,
    BusyLoadingError,
    MovedError,
    NoPermissionError,
    NoScriptError,
    ReadOnlyError,
    RedisError,
    ResponseError,
    TryAgainError,
)
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from pyredisson import ClosedError, DecodeError, UncertainOfferError
from pyredisson._async.link import link as links
from pyredisson._transport.errors import translated
from pyredisson.codecs import LongCodec, StringCodec
from pyredisson.protocol.delayed.delayed_queue import DelayedQueueProtocol
from pyredisson.protocol.kernel.command import Operation
from pyredisson.protocol.kernel.names import QueueNames
from pyredisson.protocol.queues.blocking_queue import BlockingProtocol
from pyredisson.protocol.queues.queue import End, QueueProtocol
from tests._async.link.fake_servers import OPEN, AsyncFakeNet

QUEUE = QueueProtocol("q", StringCodec())
BLOCKING = BlockingProtocol("q", StringCodec())
DELAYED = DelayedQueueProtocol(QueueNames.of("q"), StringCodec())

PUSH: Operation[Any] = QUEUE.push(End.LAST, ["a"])
SIZE: Operation[Any] = QUEUE.size()
POP: Operation[Any] = QUEUE.pop(End.FIRST)
SCRIPT: Operation[Any] = QUEUE.remove_all(["a"])
WAIT: Operation[Any] = BLOCKING.pop(End.FIRST, 2.0)
OFFER: Operation[Any] = DELAYED.offer(DELAYED.receipt(b"a", 5, b"12345678"))

PUSHED, SIZED, POPPED = "home: RPUSH q a", "home: LLEN q", "home: LPOP q"
WAITED = "home: BLPOP q 2.000"
EVALSHA, EVAL = "home: EVALSHA <sha> 1 q a", "home: EVAL <text> 1 q a"


class Interruption(BaseException):
    """Interrupts a wait."""


def moved() -> Exception:
    return MovedError("5 other:2")


def ask() -> Exception:
    return AskError("5 other:2")


def noscript() -> Exception:
    return NoScriptError("No matching script.")


def read_only() -> Exception:
    return ReadOnlyError("You can't write against a read only replica.")


def lost() -> Exception:
    return RedisConnectionError("reset")


class Case:
    """An operation, the answers of the servers, and the expected result."""

    def __init__(
        self,
        operation: Operation[Any],
        home: list[Any],
        result: Any,
        heard: list[str],
        *,
        other: list[Any] | None = None,
        clustered: bool = False,
        looks: int = 0,
    ) -> None:
        self.operation = operation
        self.net: dict[str, Any] = {"home": home, "other": other or [], "clustered": clustered}
        self.result = result
        self.heard = heard
        self.looks = looks


ASKED = ["other: ASKING", "other: RPUSH q a"]
LOADING = "Redis is loading the dataset in memory"

CASES = {
    "a reply": Case(PUSH, [1], 1, [PUSHED]),
    "what waits": Case(WAIT, [[b"q", b"x"]], "x", [WAITED]),
    "nothing came": Case(WAIT, [None], None, [WAITED]),
    "the script is not there": Case(SCRIPT, [noscript(), 1], True, [EVALSHA, EVAL]),
    "it is still not there": Case(SCRIPT, [noscript(), noscript()], NoScriptError, [EVALSHA, EVAL]),
    "moved": Case(PUSH, [moved()], 2, [PUSHED, "other: RPUSH q a"], other=[2]),
    "ask": Case(PUSH, [ask()], 2, [PUSHED, *ASKED], other=["OK", 2]),
    "moved and the script is not there": Case(
        SCRIPT,
        [moved()],
        True,
        [EVALSHA, "other: EVALSHA <sha> 1 q a", "other: EVAL <text> 1 q a"],
        other=[noscript(), 1],
    ),
    "ask and the script is not there: asking again": Case(
        SCRIPT,
        [ask()],
        True,
        [
            EVALSHA,
            "other: ASKING",
            "other: EVALSHA <sha> 1 q a",
            "other: ASKING",
            "other: EVAL <text> 1 q a",
        ],
        other=["OK", noscript(), "OK", 1],
    ),
    "ask for what waits": Case(
        WAIT,
        [ask()],
        "x",
        [WAITED, "other: ASKING", "other: BLPOP q 2.000"],
        other=[
            "OK",
            [b"q", b"x"],
        ],
    ),
    "asked, and asked to try again": Case(
        PUSH,
        [ask(), ask()],
        3,
        [PUSHED, *ASKED, PUSHED, *ASKED],
        other=[
            "OK",
            TryAgainError("Multiple keys request during rehashing of slot"),
            "OK",
            3,
        ],
    ),
    "in circles": Case(
        PUSH,
        [moved()],
        RedisConnectionError,
        [PUSHED, *["other: RPUSH q a"] * 5],
        other=[moved() for _ in range(5)],
    ),
    "in circles, asking": Case(
        PUSH,
        [ask()],
        RedisConnectionError,
        [PUSHED, *ASKED * 5],
        other=["OK", ask(), "OK", ask(), "OK", ask(), "OK", ask(), "OK", ask()],
    ),
    "try again": Case(PUSH, [TryAgainError("..."), 1], 1, [PUSHED, PUSHED]),
    "who waits is not told to pause": Case(WAIT, [TryAgainError("...")], TryAgainError, [WAITED]),
    "no master any more": Case(PUSH, [read_only(), 1], 1, [PUSHED, PUSHED], looks=1),
    "no master anywhere": Case(
        PUSH, [read_only(), read_only()], ReadOnlyError, [PUSHED, PUSHED], looks=2
    ),
    "loading": Case(PUSH, [BusyLoadingError(LOADING), 1], 1, [PUSHED, PUSHED], looks=1),
    "unreachable": Case(PUSH, [OPEN], RedisConnectionError, [], looks=1),
    "unreachable node": Case(PUSH, [OPEN, 1], 1, [PUSHED], clustered=True, looks=1),
    "unreachable nodes": Case(
        PUSH, [OPEN, OPEN], RedisConnectionError, [], clustered=True, looks=2
    ),
    "a lost reply of what may be done twice": Case(SIZE, [lost(), 4], 4, [SIZED, SIZED], looks=1),
    "lost twice": Case(SIZE, [lost(), lost()], RedisConnectionError, [SIZED, SIZED], looks=2),
    "a lost reply": Case(PUSH, [lost()], RedisConnectionError, [PUSHED], looks=1),
    "a late reply": Case(PUSH, [RedisTimeoutError("5 s")], RedisTimeoutError, [PUSHED], looks=1),
    "a lost element": Case(POP, [lost()], RedisConnectionError, [POPPED], looks=1),
    "a lost offer": Case(OFFER, [lost()], UncertainOfferError, [], looks=1),
    "refused": Case(PUSH, [ResponseError("WRONGTYPE no list")], ResponseError, [PUSHED]),
    "not allowed": Case(PUSH, [NoPermissionError("no")], NoPermissionError, [PUSHED]),
    "not let in": Case(OFFER, [AuthenticationError("NOAUTH")], AuthenticationError, []),
}


def made(kind: type[Exception]) -> type[Exception]:
    """Return pyredisson's class for a redis-py error class."""
    if not issubclass(kind, RedisError):
        return kind
    return type(translated(kind("5 other:2")))


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
async def test_link_answers_each_case(case: Case) -> None:
    net = AsyncFakeNet(**case.net)
    link = net.link()
    if isinstance(case.result, type):
        with pytest.raises(case.result) as caught:
            await link.request(case.operation)
        assert type(caught.value) is made(case.result)
        assert caught.value.__cause__ is not caught.value
    else:
        assert await link.request(case.operation) == case.result
    assert net.heard == case.heard or case.operation is OFFER
    assert net.looks == case.looks
    await net.close()
    assert net.opened == net.closed


async def test_error_of_a_lost_offer_contains_the_receipt() -> None:
    net = AsyncFakeNet(home=[lost()], other=[])
    with pytest.raises(UncertainOfferError) as caught:
        await net.link().request(OFFER)
    assert caught.value.receipt.value == b"a"
    assert isinstance(caught.value.__cause__, RedisConnectionError)


async def test_response_timeout_bounds_tryagain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(links, "monotonic", count(step=0.02).__next__)
    net = AsyncFakeNet(home=[TryAgainError("...") for _ in range(1000)], other=[])
    with pytest.raises(TryAgainError):
        await net.link(timeout=0.1).request(PUSH)
    assert 2 <= len(net.heard) < 10


async def test_a_value_that_cannot_be_decoded_leaves_the_connection_in_step() -> None:
    net = AsyncFakeNet(home=[b"x", 1, 4], other=[])
    link = net.link()
    with pytest.raises(DecodeError, match="; kept in"):
        await link.request(QueueProtocol("q", LongCodec()).pop(End.FIRST))
    assert await link.request(SIZE) == 4
    assert net.heard == ["home: LPOP q", "home: RPUSH pyredisson_poison:{q} x", "home: LLEN q"]
    assert net.opened == 1


async def test_undecodable_value_without_a_reply_is_pushed_once() -> None:
    """The value is pushed once, and the error contains it in any case."""
    net = AsyncFakeNet(home=[b"x", RedisConnectionError("reset"), 4], other=[])
    with pytest.raises(DecodeError, match=r"; keeping it in .* failed \(reset\)") as caught:
        await net.link().request(QueueProtocol("q", LongCodec()).pop(End.FIRST))
    assert (caught.value.raw, caught.value.kept_in) == (b"x", None)
    assert len(net.heard) == 2


async def test_arrival_reports_whether_an_element_came() -> None:
    link = AsyncFakeNet(home=[None, [b"q", b"x"]], other=[]).link()
    assert await link.arrival(WAIT) == (False, None)
    assert await link.arrival(WAIT) == (True, "x")
    assert link.reached


NO = ResponseError("no")


@pytest.mark.parametrize(
    ("answers", "heard"),
    [
        ([Interruption(), 0, 1, [b"q", b"x"], 1], ["home: LPUSH q x"]),
        ([Interruption(), 0, 1, None], []),
        ([Interruption(), NO, 1, [b"q", b"x"], 1], ["home: LPUSH q x"]),
        ([Interruption(), 0, NO, [b"q", b"x"], 1], ["home: LPUSH q x"]),
        ([Interruption(), 0, 1, lost()], []),
        ([Interruption(), 0, 1, [b"q", b"x"], lost()], ["home: LPUSH q x"]),
    ],
    ids=["took one", "took none", "no scripts", "no right to unblock", "cut off", "in the end"],
)
async def test_interrupted_wait_pushes_its_element_back(
    answers: list[Any], heard: list[str]
) -> None:
    """The link unblocks the wait, reads its reply, and pushes a popped element back."""
    net = AsyncFakeNet(home=answers, other=[])
    with pytest.raises(Interruption):
        await net.link().request(WAIT)
    assert net.heard == [WAITED, "home: EVAL <text> 0", "home: CLIENT UNBLOCK 7", *heard]


async def test_element_that_cannot_be_pushed_back_is_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    net = AsyncFakeNet(home=[Interruption(), 0, 1, [b"q", b"x"], lost()], other=[])
    with pytest.raises(Interruption):
        await net.link().request(WAIT)
    assert "'q' took (b'x',) and could not put it back" in caplog.text


async def test_closed_link_raises_closed_error() -> None:
    link = AsyncFakeNet(home=[], other=[]).link()
    link.closed = True
    for call in (lambda: link.request(PUSH), lambda: link.clock("q")):
        with pytest.raises(ClosedError):
            await call()
