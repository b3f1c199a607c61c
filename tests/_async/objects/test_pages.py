"""Iterations read pages. Simultaneous changes by other clients hide no element that stays."""

from collections.abc import AsyncIterable, AsyncIterator, Callable
from typing import Any, NamedTuple

import pytest

from pyredisson import AsyncRedisson
from pyredisson.codecs import StringCodec
from pyredisson.protocol.consumers.delivery import RECORD
from pyredisson.protocol.dead_letters.dead_letters import encode_reason
from pyredisson.protocol.kernel.names import ConsumerNames
from tests._async.conftest import Login
from tests.support.state import pack

MANY = 1_300
NAMES = ConsumerNames.of("q")
VALUES = [f"{number:04}" for number in range(MANY)]

Walk = Callable[[AsyncRedisson], AsyncIterator[str]]
Drop = Callable[[AsyncRedisson, str], Any]


def id_of(value: str) -> bytes:
    return int(value).to_bytes(16, "big")


def entry_of(value: str) -> bytes:
    return pack(value.encode(), int(value).to_bytes(8, "big"))


def fill_list(raw: Any) -> None:
    raw.rpush("q", *VALUES)


def fill_poison(raw: Any) -> None:
    raw.rpush(NAMES.queue.poison, *VALUES)


def fill_pending(raw: Any) -> None:
    raw.rpush(NAMES.queue.delay_list, *map(entry_of, VALUES))
    raw.zadd(NAMES.queue.timeout_set, {entry_of(each): 1e13 for each in VALUES})


def fill_dead(raw: Any) -> None:
    """Store three dead letters for each millisecond."""
    why = encode_reason("bad", None)
    for each in VALUES:
        record = RECORD.pack(id_of(each), 1, 1, 1, 0) + each.encode()
        raw.hset(NAMES.letters, id_of(each), len(why).to_bytes(4, "big") + why + record)
    raw.zadd(NAMES.dead, {id_of(each): 1_000 + int(each) // 3 for each in VALUES})


async def each_of(values: AsyncIterable[str]) -> AsyncIterator[str]:
    async for each in values:
        yield each


async def letters(redisson: AsyncRedisson) -> AsyncIterator[str]:
    async for letter in redisson.get_dead_letters(redisson.get_queue("q")):
        assert letter.value is not None
        yield letter.value


async def poisoned(redisson: AsyncRedisson) -> AsyncIterator[str]:
    async for each in redisson.get_poison_list(redisson.get_queue("q")):
        yield each.raw.decode()


class Kind(NamedTuple):
    """Functions that fill an object, iterate over it, and remove one of its elements."""

    fill: Callable[[Any], None]
    walk: Walk
    drop: Drop
    expected: list[str] = VALUES


KINDS = {
    "queue": Kind(
        fill_list, lambda r: each_of(r.get_queue("q")), lambda r, v: r.get_queue("q").remove(v)
    ),
    "list": Kind(
        fill_list, lambda r: each_of(r.get_list("q")), lambda r, v: r.get_list("q").remove(v)
    ),
    "backwards": Kind(
        fill_list,
        lambda r: r.get_deque("q").descending_iterator(),
        lambda r, v: r.get_queue("q").remove(v),
        VALUES[::-1],
    ),
    "poison": Kind(
        fill_poison,
        poisoned,
        lambda r, v: r.get_poison_list(r.get_queue("q")).drop(raw=v.encode()),
    ),
    "pending": Kind(
        fill_pending,
        lambda r: each_of(r.get_delayed_queue(r.get_queue("q"), transfer=False)),
        lambda r, v: r.get_delayed_queue(r.get_queue("q"), transfer=False).remove(v),
    ),
    "dropped letters": Kind(
        fill_dead,
        letters,
        lambda r, v: r.get_dead_letters(r.get_queue("q")).drop(id=id_of(v).hex()),
    ),
    "redriven letters": Kind(
        fill_dead,
        letters,
        lambda r, v: r.get_dead_letters(r.get_queue("q")).redrive(id=id_of(v).hex()),
    ),
}


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest, raw: Any) -> Kind:
    found = KINDS[request.param]
    found.fill(raw)
    return found


@pytest.mark.parametrize("every", [1, 2, 7])
async def test_iteration_returns_all_while_elements_are_removed(
    redisson: AsyncRedisson, kind: Kind, every: int
) -> None:
    found = []
    async for value in kind.walk(redisson):
        found.append(value)
        if len(found) % every == 0:
            assert await kind.drop(redisson, value)
    assert found == kind.expected


async def test_iteration_returns_all_after_returned_ones_are_removed(
    redisson: AsyncRedisson, kind: Kind
) -> None:
    """The removed elements include the last returned one, so no element of its page remains."""
    found: list[str] = []
    async for value in kind.walk(redisson):
        found.append(value)
        if len(found) in (500, 1_000):
            for each in found[-500:]:
                await kind.drop(redisson, each)
    assert found == kind.expected


async def test_iteration_works_without_permission_for_llen(login: Login, root: Any) -> None:
    """The iteration continues, although it cannot know how far to step back."""
    fill_list(root)
    redisson = login("~*", "+lrange", "+type", "+lrem", codec=StringCodec())
    found = 0
    async for value in redisson.get_queue("q"):
        await redisson.get_queue("q").remove(value)
        found += 1
    assert 500 < found <= MANY


async def test_iteration_without_changes_returns_no_element_twice(
    redisson: AsyncRedisson, raw: Any
) -> None:
    for values in (["same"] * MANY, ["a", "b"] * MANY):
        raw.delete("q")
        raw.rpush("q", *values)
        assert [each async for each in redisson.get_queue("q")] == values
        backwards = redisson.get_deque("q").descending_iterator()
        assert [each async for each in backwards] == values[::-1]


@pytest.mark.parametrize("matches", [1, 2, 3])
async def test_remove_if_checks_each_value_despite_other_clients(
    redisson: AsyncRedisson, raw: Any, matches: int
) -> None:
    """The predicate gets each value, although another client takes some while it runs."""
    fill_pending(raw)
    seen: list[str] = []

    def predicate(value: str) -> bool:
        seen.append(value)
        if len(seen) in (400, 900):
            raw.ltrim(NAMES.queue.delay_list, 100, -1)
        return int(value) % matches == 0

    delayed = redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)
    assert await delayed.remove_if(predicate)
    assert seen == VALUES
    assert all(int(each) % matches for each in await delayed.read_all())


async def test_requeue_of_poison_continues_despite_other_clients(
    redisson: AsyncRedisson, raw: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another client drops the oldest values meanwhile."""
    fill_poison(raw)
    poison = redisson.get_poison_list(redisson.get_queue("q"))
    asked = 0

    async def run(operation: Any, real: Any = poison._run) -> Any:
        nonlocal asked
        asked += 1
        if asked == 3:
            raw.ltrim(NAMES.queue.poison, 600, -1)
        return await real(operation)

    monkeypatch.setattr(poison, "_run", run)
    assert await poison.requeue() == MANY - 600
    assert [each.decode() for each in raw.lrange("q", 0, -1)] == VALUES[600:]


async def test_iteration_ends_although_queue_changes_faster(
    redisson: AsyncRedisson, raw: Any
) -> None:
    """The iteration ends, although other clients have taken all earlier elements at each page."""
    fill_list(raw)
    found = 0
    async for _ in redisson.get_queue("q"):
        found += 1
        assert found < 10 * MANY
        if found % 500 == 0:
            raw.lpop("q", MANY)
            raw.rpush("q", *(f"{found} {number}" for number in range(MANY)))
