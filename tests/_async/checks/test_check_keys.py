"""Every key of a queue, broken in every way: a check finds it, or `HARMLESS` explains why not.

The keys are those of the names, so a new key without a row fails. Rule: a repair loses no existing
value, and duplicates none.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pyredisson import AsyncDelayedQueue, AsyncRedisson, FindingKind
from pyredisson._async.link.link import AsyncLink
from pyredisson.codecs import StringCodec
from pyredisson.protocol.checks.check import CheckProtocol, value_in
from pyredisson.protocol.consumers.delivery import Delivery
from pyredisson.protocol.kernel.names import ConsumerNames, QueueNames, ScheduleNames, WindowNames
from tests.support.rights import CHECKS, REPAIRS
from tests.support.rights import KEYS as ALL_KEYS

K = FindingKind
LONG = 3600
Q, N = QueueNames.of("q"), ConsumerNames.of("q")
W, S = WindowNames.of("q"), ScheduleNames.of("q")
TYPES = CheckProtocol(N).types()
KEYS = {name for names in (Q, N, W, S) for name in names if isinstance(name, str)} - {Q.channel}

FOUND: dict[str, dict[str, set[FindingKind]]] = {
    Q.name: {"deleted": {K.GROUP_WITHOUT_ITEM}, "part_removed": {K.GROUP_WITHOUT_ITEM}},
    Q.delay_list: {
        "deleted": {K.TIMEOUT_SET_ONLY},
        "part_removed": {K.TIMEOUT_SET_ONLY},
        "part_repeated": {K.LISTED_TWICE},
    },
    Q.timeout_set: {"deleted": {K.DELAY_LIST_ONLY}, "part_removed": {K.DELAY_LIST_ONLY}},
    N.leases: {
        "deleted": {K.MESSAGE_WITHOUT_LEASE},
        "part_removed": {K.MESSAGE_WITHOUT_LEASE},
    },
    N.taken: {
        "deleted": {K.LEASE_WITHOUT_MESSAGE, K.GROUP_WITHOUT_ITEM},
        "part_removed": {K.LEASE_WITHOUT_MESSAGE, K.GROUP_WITHOUT_ITEM},
        "part_emptied": {K.CUT_SHORT, K.GROUP_WITHOUT_ITEM},
    },
    N.retried: {"deleted": {K.TIME_WITHOUT_RETRY}, "part_removed": {K.TIME_WITHOUT_RETRY}},
    N.postponed: {"deleted": {K.RETRY_WITHOUT_TIME}, "part_removed": {K.RETRY_WITHOUT_TIME}},
    N.expiring: {"deleted": {K.EXPIRY_WITHOUT_TIME}, "part_removed": {K.EXPIRY_WITHOUT_TIME}},
    N.expiries: {"deleted": {K.TIME_WITHOUT_EXPIRY}, "part_removed": {K.TIME_WITHOUT_EXPIRY}},
    N.dead: {"deleted": {K.LETTER_WITHOUT_TIME}, "part_removed": {K.LETTER_WITHOUT_TIME}},
    N.letters: {
        "deleted": {K.TIME_WITHOUT_LETTER},
        "part_removed": {K.TIME_WITHOUT_LETTER},
        "part_emptied": {K.CUT_SHORT},
    },
    W.started: {
        "deleted": {K.GROUP_WITHOUT_KEY},
        "part_removed": {K.GROUP_WITHOUT_KEY},
        "part_emptied": {K.KEY_WITHOUT_GROUP, K.GROUP_WITHOUT_KEY},
    },
    W.groups: {
        "deleted": {K.KEY_WITHOUT_GROUP},
        "part_removed": {K.GROUP_WITHOUT_VALUES, K.VALUE_WITHOUT_GROUP},
        "part_emptied": {K.VALUE_WITHOUT_GROUP},
    },
    S.entries: {
        "deleted": {K.TIME_WITHOUT_ENTRY},
        "part_removed": {K.TIME_WITHOUT_ENTRY},
        "part_emptied": {K.CUT_SHORT},
    },
    S.times: {"deleted": {K.ENTRY_WITHOUT_TIME}, "part_removed": {K.ENTRY_WITHOUT_TIME}},
}
"""The findings. A wrong type and a time to live are not listed: each key can have these."""

GONE = "a value that is nowhere leaves no trace"
BEGINS = "the messages count as new ones"
FLEETING = "fleeting"
HARMLESS: dict[str, dict[str, str]] = {
    Q.name: {"part_removed": GONE, "part_repeated": "equal values are two values"},
    Q.poison: dict.fromkeys(("deleted", "part_removed", "part_repeated"), GONE),
    Q.dedup: dict.fromkeys(("deleted", "part_removed", "part_emptied"), "the key is free"),
    Q.due: dict.fromkeys(("deleted", "part_removed", "part_emptied", "expiring"), "only a note"),
    N.arriving: {"deleted": GONE},
    N.returned: dict.fromkeys(("deleted", "part_removed"), BEGINS),
    N.paused: {"deleted": FLEETING, "expiring": FLEETING},
    N.resumed: dict.fromkeys(("deleted", "part_removed", "part_repeated", "expiring"), FLEETING),
    N.consumers: dict.fromkeys(("deleted", "part_removed", "expiring"), FLEETING),
    W.groups: {
        "part_removed": "who has a group is noted only to tell copies of its text",
        "part_emptied": "a value may be empty",
    },
}
"""Why a check does not find this, or does not find it for each part of the key."""

State = dict[bytes, bytes]


@pytest.fixture
async def delayed(redisson: AsyncRedisson, raw: Any) -> AsyncDelayedQueue[str]:
    """The queue ``q``, with data in each key except the one that is empty between two steps."""
    queue = redisson.get_blocking_queue("q")
    delayed = redisson.get_delayed_queue(queue, transfer=False)
    consumer = redisson.get_consumer(queue, transfer=False)
    window = redisson.get_group_window(queue, size=3, max_wait=LONG, transfer=False)
    for value in "xyz":
        await window.offer("held", value)
    assert (await redisson.get_consumer(window, transfer=False).take()).value.key == "held"
    raw.rpush("q", "held", "later", "dead", "back", "ready")
    _, later, dead, back = await consumer.take_many(4)
    assert await later.nack(LONG)
    assert await dead.reject("why")
    assert await back.nack()
    await redisson.get_delayed_queue(queue, transfer=False, expire_after=LONG).offer(
        "expiring", LONG
    )
    await delayed.offer("keyed", LONG, dedup="key")
    for key, values in (("full", "abc"), ("open", "de")):
        for value in values:
            await window.offer(key, value)
    await redisson.get_schedule(delayed, advance=False).add("entry", "again", every=LONG)
    raw.rpush(Q.poison, b"bad")
    raw.hset(Q.due, "its SHA1", 5)
    await queue.pause()
    raw.rpush(N.resumed, 1)
    raw.pexpire(N.resumed, 60_000)
    assert {key.decode() for key in raw.scan_iter()} == KEYS - {N.arriving}
    assert await delayed.check() == []
    return delayed


def saved(raw: Any) -> State:
    return {key: raw.dump(key) for key in raw.scan_iter()}


def restore(raw: Any, state: State) -> None:
    raw.flushall()
    for key, payload in state.items():
        raw.restore(key, 0, payload)


def parts(raw: Any, key: str) -> list[bytes]:
    """Return the elements, members or fields of a key."""
    match TYPES[key]:
        case "list":
            found = raw.lrange(key, 0, -1)
        case "zset":
            found = raw.zrange(key, 0, -1)
        case "hash":
            found = raw.hkeys(key)
        case _:
            found = []
    return list(found)


def each_part(raw: Any, key: str, *kinds: str) -> Iterator[bytes]:
    """Yield each part of a key of one of these types; restore the original state before each."""
    state = saved(raw)
    for part in parts(raw, key) if TYPES[key] in kinds else []:
        restore(raw, state)
        yield part


def deleted(raw: Any, key: str) -> Iterator[None]:
    raw.delete(key)
    yield


def part_removed(raw: Any, key: str) -> Iterator[None]:
    remove = {"list": ("LREM", key, 0), "zset": ("ZREM", key), "hash": ("HDEL", key)}
    for part in each_part(raw, key, *remove):
        raw.execute_command(*remove[TYPES[key]], part)
        yield


def part_emptied(raw: Any, key: str) -> Iterator[None]:
    for part in each_part(raw, key, "hash"):
        raw.hset(key, part, b"")
        yield


def part_repeated(raw: Any, key: str) -> Iterator[None]:
    for part in each_part(raw, key, "list"):
        raw.rpush(key, part)
        yield


def expiring(raw: Any, key: str) -> Iterator[None]:
    if raw.expire(key, LONG):
        yield


def retyped(raw: Any, key: str) -> Iterator[None]:
    raw.delete(key)
    raw.sadd(key, "text")
    yield


WAYS: dict[str, Callable[[Any, str], Iterator[None]]] = {
    way.__name__: way
    for way in (deleted, part_removed, part_emptied, part_repeated, expiring, retyped)
}


def account(raw: Any, wrong: str) -> Counter[bytes]:
    """Count the values of all keys except one of a wrong type; leave out the texts of groups."""

    def held(key: str) -> Any:
        return parts(raw, key) if key != wrong and TYPES[key] != "hash" else []

    def records(key: str) -> Any:
        return raw.hgetall(key).items() if key != wrong else []

    pending = {*held(Q.delay_list), *held(Q.timeout_set)}
    found = Counter([*held(Q.name), *held(N.arriving), *held(Q.poison)])
    found.update(value_in(entry) or entry for entry in pending)
    found.update(Delivery.of(b"", each).raw for _, each in records(N.taken) if each)
    found.update(each[-len(b"dead") :] for _, each in records(N.letters) if each)
    found.update(
        each for field, each in records(W.groups) if len(field) > 40 and field[40:] != b"0"
    )
    found.update(name for name, each in records(S.entries) if each)
    return Counter({each: found[each] for each in found if not each.startswith(b"pyredisson_")})


def test_there_is_a_row_for_each_key() -> None:
    assert set(TYPES) - {CheckProtocol(N).migration} == KEYS  # tests/cli/test_migrate.py tests it
    assert {*FOUND, *HARMLESS} == KEYS


@pytest.mark.parametrize("key", sorted(KEYS))
async def test_a_key_that_is_broken(delayed: AsyncDelayedQueue[str], raw: Any, key: str) -> None:
    state = saved(raw)
    for way, break_it in WAYS.items():
        restore(raw, state)
        expected = FOUND.get(key, {}).get(way, set())
        if way == "retyped":
            expected = {K.WRONG_TYPE}
        elif way == "expiring" and "expiring" not in HARMLESS.get(key, {}):
            expected = {K.TIME_TO_LIVE} if key != N.arriving else set()
        found = [await repaired(delayed, raw, key) for _ in break_it(raw, key)]
        assert {kind for kinds in found for kind in kinds} == expected, way
        assert (not all(found)) == (way in HARMLESS.get(key, {})), way


async def repaired(delayed: AsyncDelayedQueue[str], raw: Any, key: str) -> set[FindingKind]:
    """Check and repair; return the findings. Only a wrong type stays, and each value is kept."""
    found = {each.kind for each in await delayed.check()}
    wrong = key if K.WRONG_TYPE in found else ""
    before = account(raw, wrong)
    done = {each.kind for each in await delayed.repair(dry_run=False)}
    assert {each.kind for each in await delayed.check()} == found - done
    assert done == found - {K.WRONG_TYPE}
    assert account(raw, wrong) == before
    return found


async def test_check_finds_a_message_that_no_consumer_claimed(
    delayed: AsyncDelayedQueue[str], raw: Any
) -> None:
    """Its consumer crashed. Otherwise a message is in that list only between two steps."""
    raw.rpush(N.arriving, "left")
    assert await repaired(delayed, raw, N.arriving) == {K.UNCLAIMED}
    assert raw.lindex("q", 0) == b"left"


async def test_account_counts_each_value_once(delayed: AsyncDelayedQueue[str], raw: Any) -> None:
    assert await delayed.check() == []
    values = b"held later dead back ready expiring keyed again bad entry a b c d e x y z"
    assert account(raw, "") == Counter(values.split())


async def test_repair_with_a_poison_list_of_a_wrong_type(
    delayed: AsyncDelayedQueue[str], raw: Any
) -> None:
    """Values that would be moved to that list stay where they are. All else is repaired."""
    raw.delete(Q.poison, N.leases, N.dead, S.times)
    raw.set(Q.poison, "text")
    raw.hset(N.letters, raw.hkeys(N.letters)[0], b"cut")
    heads = [field for field in raw.hkeys(W.groups) if len(field) == 40]
    raw.hdel(W.groups, *heads)
    stays = {K.WRONG_TYPE, K.CUT_SHORT, K.VALUE_WITHOUT_GROUP}
    repaired = {K.MESSAGE_WITHOUT_LEASE, K.ENTRY_WITHOUT_TIME}
    assert {each.kind for each in await delayed.check()} == stays | repaired
    assert {each.kind for each in await delayed.repair(dry_run=False)} == repaired
    assert {each.kind for each in await delayed.check()} == stays
    raw.delete(Q.poison)
    before = account(raw, "")
    await delayed.repair(dry_run=False)
    assert await delayed.check() == []
    assert account(raw, "") == before


class EndedError(Exception):
    """Ends a repair."""


async def test_repair_that_ends_at_any_step_can_be_repeated(
    delayed: AsyncDelayedQueue[str], raw: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next repair continues, and each value exists once."""
    for key in (N.leases, N.dead, N.postponed, N.expiring, S.times, W.started, Q.timeout_set):
        raw.delete(key)
    heads = [field for field in raw.hkeys(W.groups) if len(field) == 40]
    raw.hdel(W.groups, heads[0], heads[1] + b"1")
    raw.rpush(Q.delay_list, raw.lindex(Q.delay_list, 0), b"bad")
    raw.hset(S.entries, "cut", "")
    state, expected, request = saved(raw), account(raw, ""), AsyncLink.request
    left = steps = 0

    async def counted(self: AsyncLink, operation: Any) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise EndedError
        return await request(self, operation)

    ended = True
    while ended:
        restore(raw, state)
        steps += 1
        left = steps
        with monkeypatch.context() as patch:
            patch.setattr(AsyncLink, "request", counted)
            try:
                ended = False
                await delayed.repair(dry_run=False)
            except EndedError:
                ended = True
        await delayed.repair(dry_run=False)
        assert await delayed.check() == []
        assert account(raw, "") == expected
    assert steps > 40


async def test_check_and_repair_of_many_keys_need_only_their_rights(
    delayed: AsyncDelayedQueue[str], raw: Any, root: Any, login: Callable[..., AsyncRedisson]
) -> None:
    """Many keys are broken at once here. Another test breaks each key alone."""
    for key in (N.leases, N.dead, N.postponed, N.expiring, S.times, W.started):
        raw.delete(key)
    heads = [field for field in raw.hkeys(W.groups) if len(field) == 40]
    raw.hdel(W.groups, heads[0], heads[1] + b"1")
    raw.rpush(Q.delay_list, raw.lindex(Q.delay_list, 0))
    raw.hset(S.entries, "cut", "")
    restore(root, saved(raw))
    own = (*ALL_KEYS, "~pyredisson_*:{q}", f"&{Q.channel}")

    def few(*rights: str) -> AsyncDelayedQueue[str]:
        redisson = login(*own, *rights)
        target = redisson.get_queue("q", codec=StringCodec())
        return redisson.get_delayed_queue(target, transfer=False)

    found = {each.kind for each in await delayed.check()}
    looking = few(*CHECKS)
    assert {each.kind for each in await looking.check()} == found
    assert len(found) > 8
    done = await few(*CHECKS, *REPAIRS).repair(dry_run=False)
    assert {each.kind for each in done} >= found
    assert await looking.check() == []
