"""RDelayedQueue: each operation's result and end state are those of Redisson 4.7.0.

`TABLE` contains what a running 4.7.0 returned, and the keys that it left. The items of the queue
``q`` were due in an hour or more. If pyredisson differs on purpose, a comment on the row or a test
below the table describes it.
"""

from collections.abc import Callable
from typing import Any

import pytest
import redis

from pyredisson import AsyncDelayedQueue, AsyncRedisson, EmptyQueueError, WireFormat
from pyredisson.codecs import StringCodec
from tests.support.monitor import Monitor
from tests.support.server import RedisServer
from tests.support.state import Shape, pack, pack_old, server_ms, shape

ABC = ["A", "B", "C"]
STRINGS = StringCodec()
LIST, SET = "redisson_delay_queue:{q}", "redisson_delay_queue_timeout:{q}"

Call = Callable[[AsyncDelayedQueue[str]], Any]

DUE = {"A": 2, "B": 1, "C": 3}
"""The delay of each value in hours. The order of the due times is not that of the offers."""


def left(*values: str) -> Shape:
    """Return the keys and their contents when these values are pending."""
    if not values:
        return {}
    return {LIST: list(values), SET: sorted(values, key=lambda value: DUE[value])}


async def iterated(delayed: AsyncDelayedQueue[str]) -> list[str]:
    return [value async for value in delayed]


TABLE: dict[str, tuple[list[str], Call, Any, Shape]] = {
    "poll": (ABC, lambda d: d.poll(), "A", left("B", "C")),
    "poll_empty": ([], lambda d: d.poll(), None, {}),
    "poll_2": (ABC, lambda d: d.poll(2), ["A", "B"], left("C")),
    "poll_5": (ABC, lambda d: d.poll(5), ABC, {}),
    "poll_0": (ABC, lambda d: d.poll(0), [], left(*ABC)),
    "poll_minus1": (ABC, lambda d: d.poll(-1), [], left(*ABC)),
    "peek": (ABC, lambda d: d.peek(), "A", left(*ABC)),
    "peek_empty": ([], lambda d: d.peek(), None, {}),
    "element": (ABC, lambda d: d.element(), "A", left(*ABC)),
    "remove_noarg": (ABC, lambda d: d.remove(), "A", left("B", "C")),
    "size": (ABC, lambda d: d.size(), 3, left(*ABC)),
    "size_empty": ([], lambda d: d.size(), 0, {}),
    "isEmpty": (ABC, lambda d: d.is_empty(), False, left(*ABC)),
    "isEmpty_empty": ([], lambda d: d.is_empty(), True, {}),
    "contains_B": (ABC, lambda d: d.contains("B"), True, left(*ABC)),
    "contains_no": (ABC, lambda d: d.contains("N"), False, left(*ABC)),
    "contains_empty": ([], lambda d: d.contains("N"), False, {}),
    "containsAll_AC": (ABC, lambda d: d.contains_all(["A", "C"]), True, left(*ABC)),
    "containsAll_AA": (ABC, lambda d: d.contains_all(["A", "A"]), True, left(*ABC)),
    "containsAll_AN": (ABC, lambda d: d.contains_all(["A", "N"]), False, left(*ABC)),
    "containsAll_empty": (ABC, lambda d: d.contains_all([]), True, left(*ABC)),
    "remove_B": (ABC, lambda d: d.remove("B"), True, left("A", "C")),
    "remove_no": (ABC, lambda d: d.remove("N"), False, left(*ABC)),
    "remove_dup": (["A", "A"], lambda d: d.remove("A"), True, left("A")),
    "removeAll_AC": (ABC, lambda d: d.remove_all(["A", "C"]), True, left("B")),
    "removeAll_no": (ABC, lambda d: d.remove_all(["N"]), False, left(*ABC)),
    "removeAll_dupA": (["A", "A", "B"], lambda d: d.remove_all(["A"]), True, left("B")),
    "removeAll_empty": (ABC, lambda d: d.remove_all([]), False, left(*ABC)),
    # Redisson leaves B and C in the timeout set, and delivers them.
    "retainAll_A": (ABC, lambda d: d.retain_all(["A"]), True, left("A")),
    "retainAll_all": (ABC, lambda d: d.retain_all(ABC), False, left(*ABC)),
    "retainAll_empty": (ABC, lambda d: d.retain_all([]), True, {}),
    "retainAll_dup": (["A", "B", "A"], lambda d: d.retain_all(["A"]), True, left("A", "A")),
    "readAll": (ABC, lambda d: d.read_all(), ABC, left(*ABC)),
    "readAll_empty": ([], lambda d: d.read_all(), [], {}),
    "iterator": (ABC, iterated, ABC, left(*ABC)),
    "removeIf_B": (ABC, lambda d: d.remove_if(lambda v: v == "B"), True, left("A", "C")),
    "removeIf_no": (ABC, lambda d: d.remove_if(lambda v: v == "N"), False, left(*ABC)),
    "removeIf_all": (ABC, lambda d: d.remove_if(lambda v: True), True, {}),
    "removeIf_dup": (["A", "B", "A"], lambda d: d.remove_if(lambda v: v < "B"), True, left("B")),
    "clear": (ABC, lambda d: d.clear(), None, {}),
    "delete": (ABC, lambda d: d.delete(), True, {}),
    "delete_empty": ([], lambda d: d.delete(), False, {}),
    "pollLastAndOfferFirstTo": (
        ABC,
        lambda d: d.poll_last_and_offer_first_to("other"),
        "C",
        {"other": ["C", "X"]} | left("A", "B"),
    ),
    "pollLastAndOfferFirstTo_empty": ([], lambda d: d.poll_last_and_offer_first_to("no"), None, {}),
}


async def offer(delayed: AsyncDelayedQueue[str], values: list[str]) -> None:
    for value in values:
        await delayed.offer(value, delay=DUE[value] * 3600)


@pytest.mark.parametrize(("items", "call", "result", "after"), TABLE.values(), ids=TABLE)
@pytest.mark.parametrize("release", ["4.7.0", "3.21.0"])
async def test_an_operation_does_what_redissons_does(
    redisson: AsyncRedisson,
    raw: redis.Redis,
    release: str,
    items: list[str],
    call: Call,
    result: Any,
    after: Shape,
) -> None:
    target = redisson.get_blocking_queue("q", codec=STRINGS)
    delayed = redisson.get_delayed_queue(target, wire_format=release)
    await offer(delayed, items)
    raw.rpush("q", "X")
    raw.rpush("other", "X")
    assert await call(delayed) == result
    assert shape(raw) == {"q": ["X"], "other": ["X"]} | after


async def test_an_empty_queue_raises_where_javas_does(redisson: AsyncRedisson) -> None:
    delayed = redisson.get_delayed_queue(redisson.get_queue("q", codec=STRINGS))
    with pytest.raises(EmptyQueueError, match=r"redisson_delay_queue:\{q\}"):
        await delayed.element()
    with pytest.raises(LookupError):
        await delayed.remove()


async def test_operations_that_redisson_does_not_support_do_not_exist(
    redisson: AsyncRedisson,
) -> None:
    """In Redisson add, addAll, offer(e) and indexOf raise UnsupportedOperationException."""
    delayed: Any = redisson.get_delayed_queue(redisson.get_queue("q", codec=STRINGS))
    assert [name for name in ("add", "add_all", "index_of", "move") if hasattr(delayed, name)] == []
    with pytest.raises(TypeError, match="delay= or at="):
        await delayed.offer("x")


READS: dict[str, tuple[Call, Any]] = {
    "poll": (lambda d: d.poll(), "old"),
    "poll_3": (lambda d: d.poll(3), ["old", "new", "seven"]),
    "peek": (lambda d: d.peek(), "old"),
    "readAll": (lambda d: d.read_all(), ["old", "new", "seven"]),
    "iterator": (iterated, ["old", "new", "seven"]),
    "contains_old": (lambda d: d.contains("old"), True),
    "contains_new": (lambda d: d.contains("new"), True),
    "containsAll": (lambda d: d.contains_all(["seven", "new", "old"]), True),
    "remove_old": (lambda d: d.remove("old"), True),
    "removeAll": (lambda d: d.remove_all(["old", "seven"]), True),
    "retainAll": (lambda d: d.retain_all(["old", "new", "seven"]), False),
    "removeIf": (lambda d: d.remove_if(lambda value: value == "old"), True),
    "pollLast": (lambda d: d.poll_last_and_offer_first_to("other"), "seven"),
}


@pytest.mark.parametrize(("call", "result"), READS.values(), ids=READS)
@pytest.mark.parametrize("release", ["4.7.0", "3.19.3"])
async def test_both_formats_are_read_whichever_is_written(
    redisson: AsyncRedisson, raw: redis.Redis, release: str, call: Call, result: Any
) -> None:
    """The third entry has the old format and the first byte 7, so it fits both formats."""
    seven = pack_old(b"seven", float.fromhex("0x1.0000000000007p+0"))
    assert seven[0] == 7
    for entry in (pack_old(b"old"), pack(b"new"), seven):
        raw.rpush(LIST, entry)
        raw.zadd(SET, {entry: server_ms(raw) + 3_600_000})
    target = redisson.get_queue("q", codec=STRINGS)
    delayed = redisson.get_delayed_queue(target, wire_format=release)
    assert await call(delayed) == result
    assert raw.llen(LIST) == raw.zcard(SET)


async def test_due_items_of_both_formats_are_delivered(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    entries = [pack_old(b"old"), pack(b"new"), pack_old(b""), pack(b""), pack(b"id0", b"")]
    entries.append(pack(b"id255", bytes(255)))
    for score, entry in enumerate(entries):
        raw.rpush(LIST, entry)
        raw.zadd(SET, {entry: score})
    target = redisson.get_blocking_queue("q", codec=STRINGS)
    redisson.get_delayed_queue(target)
    taken = [await target.take() for _ in entries]
    assert taken == ["old", "new", "", "", "id0", "id255"]
    assert shape(raw) == {}


async def test_ten_thousand_pending(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    values = [f"value {number}" for number in range(10_000)]
    due = server_ms(raw) + 3_600_000
    with raw.pipeline() as pipe:
        for number, value in enumerate(values):
            entry = pack(value.encode(), number.to_bytes(8, "big"))
            pipe.rpush(LIST, entry)
            pipe.zadd(SET, {entry: due})
        pipe.execute()
    delayed = redisson.get_delayed_queue(redisson.get_queue("q", codec=STRINGS))
    assert await delayed.size() == len(values)
    assert await delayed.read_all() == values
    assert await iterated(delayed) == values
    assert await delayed.contains_all(values[::-1])
    assert await delayed.remove_if(lambda value: value.endswith("7"))
    kept = [value for value in values if not value.endswith("7")]
    assert await delayed.read_all() == kept
    assert await delayed.retain_all(kept) is False
    assert await delayed.remove_all(kept[:1_000])
    assert await delayed.poll(3_000) == kept[1_000:4_000]
    assert raw.llen(LIST) == raw.zcard(SET) == 5_000
    assert await delayed.delete()
    assert shape(raw) == {}


async def test_iterators_read_at_most_500_values_at_a_time(
    redisson: AsyncRedisson, raw: redis.Redis, server: RedisServer
) -> None:
    """Iterating never blocks the server on a long list."""
    entries = [pack(str(number).encode(), number.to_bytes(8, "big")) for number in range(2_100)]
    raw.rpush(LIST, *entries)
    raw.rpush("q", *range(2_100))
    queue = redisson.get_deque("q", codec=STRINGS)
    delayed = redisson.get_delayed_queue(queue, transfer=False)
    expected = [str(number) for number in range(2_100)]
    with Monitor(server) as monitor:
        assert [value async for value in queue] == expected
        assert [value async for value in queue.descending_iterator()] == expected[::-1]
        assert await iterated(delayed) == expected
        assert await delayed.remove_if(lambda value: value == "2099")
    ranges = [command.arguments for command in monitor.commands if command.name == "LRANGE"]
    assert len(ranges) == 4 * 5
    assert all(int(stop) - int(start) < 500 for _name, _key, start, stop in ranges)


async def test_handle_has_name_codec_target_and_repr(redisson: AsyncRedisson) -> None:
    target = redisson.get_queue("q", codec=STRINGS)
    delayed = redisson.get_delayed_queue(target, wire_format=WireFormat.LEGACY)
    assert (delayed.name, delayed.codec, delayed.target) == ("q", STRINGS, target)
    assert "DelayedQueue 'q' codec=StringCodec('UTF-8') transferring>" in repr(delayed)
    delayed.destroy()
    assert "not transferring" in repr(delayed)
