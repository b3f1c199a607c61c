"""pollFromAny and similar methods: one wait for several queues; the first with a value is used."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import redis

from pyredisson import AsyncBlockingDeque, AsyncRedisson, End
from pyredisson.codecs import StringCodec
from tests.support.state import Shape, shape
from tests.support.twins import PATIENCE, sleep_async, start_async

STRINGS = StringCodec()

Call = Callable[[AsyncBlockingDeque[str]], Any]

Other = Callable[[AsyncBlockingDeque[str], Any], Any]

OWN: Shape = {"q": ["A", "B", "C"], "q2": ["Y", "Z"]}
OTHER: Shape = {"q2": ["Y", "Z"], "q3": ["W"]}

TABLE: dict[str, tuple[Shape, Call, Any, Shape]] = {
    "pollFromAny": (
        OWN,
        lambda q: q.poll_from_any(1, "q2", "q3"),
        "A",
        {"q": ["B", "C"], "q2": ["Y", "Z"]},
    ),
    "pollFromAny_other": (
        OTHER,
        lambda q: q.poll_from_any(timedelta(seconds=1), "q2", "q3"),
        "Y",
        {"q2": ["Z"], "q3": ["W"]},
    ),
    "pollFromAny_order": (
        OTHER,
        lambda q: q.poll_from_any(1, "q3", "q2"),
        "W",
        {"q2": ["Y", "Z"]},
    ),
    "pollFromAny_alone": (
        OWN,
        lambda q: q.poll_from_any(1),
        "A",
        {"q": ["B", "C"], "q2": ["Y", "Z"]},
    ),
    "pollFromAny_0": (
        OTHER,
        lambda q: q.poll_from_any(0, "q2"),
        "Y",
        {"q2": ["Z"], "q3": ["W"]},
    ),
    "pollFromAnyWithName": (
        OTHER,
        lambda q: q.poll_from_any_with_name(1, "q2", "q3"),
        ("q2", "Y"),
        {"q2": ["Z"], "q3": ["W"]},
    ),
    "pollLastFromAnyWithName": (
        OTHER,
        lambda q: q.poll_last_from_any_with_name(1, "q2", "q3"),
        ("q2", "Z"),
        {"q2": ["Y"], "q3": ["W"]},
    ),
    "pollFirstFromAny": (
        OWN,
        lambda q: q.poll_first_from_any(1, "q2", "q3", count=2),
        {"q": ["A", "B"]},
        {"q": ["C"], "q2": ["Y", "Z"]},
    ),
    "pollFirstFromAny_other": (
        OTHER,
        lambda q: q.poll_first_from_any(1, "q2", "q3", count=9),
        {"q2": ["Y", "Z"]},
        {"q3": ["W"]},
    ),
    "pollLastFromAny": (
        OWN,
        lambda q: q.poll_last_from_any(1, "q2", "q3", count=2),
        {"q": ["C", "B"]},
        {"q": ["A"], "q2": ["Y", "Z"]},
    ),
    "pollFirstFromAny_one": (
        OTHER,
        lambda q: q.poll_first_from_any(1, "q2", "q3"),
        {"q2": ["Y"]},
        {"q2": ["Z"], "q3": ["W"]},
    ),
    "pollFirstFromAny_empty": ({}, lambda q: q.poll_first_from_any(0.05, "q2"), {}, {}),
    "pollLastFromAny_empty": ({}, lambda q: q.poll_last_from_any(0, "q2", count=3), {}, {}),
    "pollFromAny_empty": ({}, lambda q: q.poll_from_any(0.05, "q2", "q3"), None, {}),
    "pollFromAnyWithName_empty": ({}, lambda q: q.poll_from_any_with_name(0.05, "q2"), None, {}),
    "pollLastFromAnyWithName_neg": (
        {},
        lambda q: q.poll_last_from_any_with_name(-1, "q2"),
        None,
        {},
    ),
}


@pytest.mark.parametrize(("before", "call", "result", "after"), TABLE.values(), ids=TABLE)
@pytest.mark.parametrize("kind", ["get_blocking_queue", "get_blocking_deque"])
async def test_operation_has_the_result_of_redissons(
    redisson: AsyncRedisson,
    raw: redis.Redis,
    kind: str,
    before: Shape,
    call: Call,
    result: Any,
    after: Shape,
) -> None:
    """Redisson's deque ignores the other names in pollFromAny; pyredisson's uses them."""
    for name, values in before.items():
        raw.rpush(name, *values)
    assert await call(getattr(redisson, kind)("q")) == result
    assert shape(raw) == after


WAITING: dict[str, tuple[Call, Any]] = {
    "pollFromAny": (lambda q: q.poll_from_any(PATIENCE, "q2", "q3"), "x"),
    "pollFromAnyWithName": (
        lambda q: q.poll_from_any_with_name(PATIENCE, "q2", "q3"),
        ("q3", "x"),
    ),
    "pollFirstFromAny": (
        lambda q: q.poll_first_from_any(PATIENCE, "q2", "q3", count=2),
        {"q3": ["x"]},
    ),
}


@pytest.mark.parametrize(("call", "result"), WAITING.values(), ids=WAITING)
async def test_wait_gets_an_element_of_another_queue(
    redisson: AsyncRedisson, raw: redis.Redis, call: Call, result: Any
) -> None:
    queue = redisson.get_blocking_deque("q", codec=STRINGS)
    waiting = start_async(lambda: call(queue))
    await sleep_async(0.1)
    raw.rpush("q3", "x")
    assert await waiting.result() == result
    assert shape(raw) == {}


TO_OTHERS: dict[str, Other] = {
    "pollFromAny": lambda q, other: q.poll_from_any(0, other),
    "pollLastFromAny": lambda q, other: q.poll_last_from_any(0, other),
    "pollLastAndOfferFirstTo": lambda q, other: q.poll_last_and_offer_first_to(other),
    "takeLastAndOfferFirstTo": lambda q, other: q.take_last_and_offer_first_to(other),
    "move": lambda q, other: q.move(other, End.FIRST, End.LAST),
}


@pytest.mark.parametrize("call", TO_OTHERS.values(), ids=TO_OTHERS)
async def test_other_queue_that_is_no_str_is_rejected(
    redisson: AsyncRedisson, raw: redis.Redis, call: Other
) -> None:
    raw.rpush("q", "A")
    queue = redisson.get_blocking_deque("q")
    text = "a name must be str, such as queue.name, not "
    with pytest.raises(TypeError, match=re.escape(f"{text}{queue!r}")):
        await call(queue, queue)
    with pytest.raises(TypeError, match=re.escape(f"{text}None")):
        await redisson.get_delayed_queue(queue).poll_last_and_offer_first_to(None)  # type: ignore[arg-type]  # that is the test
    assert shape(raw) == {"q": ["A"]}
