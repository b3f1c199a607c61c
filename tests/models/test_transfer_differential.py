"""The transfer script beside a plain one, item by item: same states, same results, same replies.

Rule: all keys are compared on the server after each call. The states are random: items of Java, of
pyredisson and of the old format, with clocks that disagree, equal times and duplicates. Some
entries are in one structure only, some are written by no release, and lists have any order. Small
thresholds in the script's text make it use the paths for long lists on short ones.

``PYREDISSON_TRIALS`` sets how many states; where it is set, they are drawn anew each time.
"""

import os
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import redis

from pyredisson.protocol.delayed.entry import WireFormat, pack
from pyredisson.protocol.delayed.item_id import new_item_id
from pyredisson.protocol.kernel.names import QueueNames
from pyredisson.protocol.kernel.scripts import load
from tests.support.server import RedisServer
from tests.support.thresholds import small_transfer, transfer_with

TRIALS = int(os.environ.get("PYREDISSON_TRIALS", "10000"))
SEED = os.urandom(4).hex() if "PYREDISSON_TRIALS" in os.environ else "0"
TEXT = load("delayed/transfer").text
PLAIN = Path(__file__).with_name("plain_transfer.lua").read_text()

REAL, MODEL = QueueNames.of("real"), QueueNames.of("plain")
TOLD = 1_790_000_000_000_000
NOW = 1000

SAME = """
for i = 1, #KEYS, 2 do
    local kind = redis.call('type', KEYS[i]).ok
    local words = {list = {'lrange', 0, -1}, zset = {'zrange', 0, -1, 'withscores'}}
    local found = {{}, {}}
    for j = 0, 1 do
        if redis.call('type', KEYS[i + j]).ok ~= 'none' then
            local w = words[kind] or words.list
            found[j + 1] = redis.call(w[1], KEYS[i + j], unpack(w, 2))
        end
    end
    if #found[1] ~= #found[2] then return KEYS[i] end
    for k = 1, #found[1] do
        if found[1][k] ~= found[2][k] then return KEYS[i] end
    end
end
return 'same'
"""


class State:
    """A random delayed queue, from its seed."""

    def __init__(
        self, seed: str, sizes: tuple[int, ...], *, doubles_are_told: bool = False
    ) -> None:
        self.seed = seed
        draw = self.draw = random.Random(seed)
        size = draw.randint(0, draw.choice(sizes))
        kinds = draw.choice(["P", "P", "J", "O", "PJ", "PJO", "PPPJ", "PPPJOX"])
        skew = draw.choice([0, 0, 50, 5000])
        entries = [self._entry(draw.choice(kinds), at * 100, skew) for at in range(size)]
        rare = draw.choice([0.0, 0.0, 0.01, 0.3])
        side = draw.choice(["list", "set"] if doubles_are_told else ["list", "set", "both"])
        spread = draw.choice([3, 30, 2 * NOW])
        order = draw.choice(["fifo", "fifo", "jitter", "any"])
        self.list: list[bytes] = []
        self.set: dict[bytes, float] = {}
        for at, entry in enumerate(entries):
            listed, timed = True, True
            if draw.random() < rare:
                listed, timed = side == "list", side == "set"
                if side == "both":
                    listed = draw.random() < 0.5
                    timed = not listed
            if listed:
                self.list.append(entry)
            if timed:
                self.set[entry] = self._score(order, at, size, spread)
        self._disturb(rare if side != "set" else 0.0)

    def _entry(self, kind: str, moment: int, skew: int) -> bytes:
        draw = self.draw
        value = draw.choice([b"", b"same", b"\0" * 8, b"%d" % draw.getrandbits(20), b"v" * 70])
        told = TOLD + moment + draw.randint(-skew, skew)
        match kind:
            case "P":
                return pack(new_item_id(told, draw.randbytes(8)), value)
            case "J":
                return pack(draw.randbytes(8), value)
            case "O":
                return pack(draw.randbytes(8), value, WireFormat.LEGACY)
        return draw.choice([b"\x10P", b"\x10P" + draw.randbytes(7), draw.randbytes(40)])

    def _score(self, order: str, at: int, size: int, spread: int) -> float:
        draw = self.draw
        if draw.random() < 0.002:
            return draw.choice([float("-inf"), float("inf"), -5.5, 0.25, 2.0**60])
        place = at * 2 * NOW // max(size, 1)
        match order:
            case "fifo":
                return place
            case "jitter":
                return place + draw.randint(-spread, spread)
        return draw.randint(NOW - spread, NOW + spread)

    def _disturb(self, rare: float) -> None:
        """Add duplicates, next to each other or anywhere, and empty entries; change the order."""
        draw = self.draw
        for _ in range(int(len(self.list) * rare * draw.random())):
            entry = draw.choice([b"", draw.choice(self.list)])
            self.list.insert(draw.randint(0, len(self.list)), entry)
        match draw.randint(0, 7):
            case 0:
                draw.shuffle(self.list)
            case 1:
                cut = draw.randint(0, len(self.list))
                self.list = self.list[cut:] + self.list[:cut]
            case 2:
                self.list.reverse()

    def laid(self) -> Iterator[tuple[Any, ...]]:
        """Yield the commands that store the state, twice."""
        yield "DEL", *REAL.keys(), *MODEL.keys()
        if self.list:
            yield "RPUSH", REAL.delay_list, *self.list
            yield "COPY", REAL.delay_list, MODEL.delay_list
        if self.set:
            pairs = [word for entry, score in self.set.items() for word in (score, entry)]
            yield "ZADD", REAL.timeout_set, *pairs
            yield "COPY", REAL.timeout_set, MODEL.timeout_set

    def calls(self) -> list[tuple[int, int]]:
        draw = self.draw
        limits = [1, 2, 5, 30, 100, 750, 1000, 7000]
        return [(NOW + draw.randint(-40, 40), draw.choice(limits)) for _ in range(3)]


def keys(names: QueueNames) -> tuple[str, ...]:
    return names.name, names.timeout_set, names.delay_list, names.poison


def compared(run: Any) -> Any:
    """Return the first key that differs, or "same"."""
    pairs = [key for pair in zip(keys(REAL), keys(MODEL), strict=True) for key in pair]
    return run.eval(SAME, len(pairs), *pairs)


def differences(raw: Any, text: str, states: Sequence[State]) -> list[str]:
    """Return the seeds whose states ended differently, and where."""
    real, plain = raw.script_load(text), raw.script_load(PLAIN)
    found = []
    for first in range(0, len(states), 100):
        some = states[first : first + 100]
        pipeline = raw.pipeline(transaction=False)
        wanted = []
        for state in some:
            for command in state.laid():
                pipeline.execute_command(*command)
            for call in state.calls():
                at = len(pipeline.command_stack)
                pipeline.evalsha(real, 4, *keys(REAL), *call)
                pipeline.evalsha(plain, 4, *keys(MODEL), *call)
                compared(pipeline)
                wanted.append((at, f"{state.seed} {call}"))
        replies = pipeline.execute()
        for at, what in wanted:
            ours, theirs, verdict = replies[at : at + 3]
            if ours != theirs or verdict != b"same":
                found.append(f"{what}: {ours!r} {theirs!r} {verdict!r}")
    return found


@pytest.fixture(scope="module")
def raw(shared_server: RedisServer) -> Iterator[Any]:
    with redis.Redis(port=shared_server.port) as client:
        client.flushall()
        yield client
        client.flushall()


def called(raw: Any) -> Callable[[str], int]:
    """Return a function that returns how often the scripts have called a command since now."""

    def counts() -> Any:
        return {name: int(found["calls"]) for name, found in raw.info("commandstats").items()}

    before = counts()
    return lambda name: counts().get(f"cmdstat_{name}", 0) - before.get(f"cmdstat_{name}", 0)


def tried(raw: Any) -> int:
    """Return how often a server only tries a command, to learn its rights: once before Redis 7."""
    return int(raw.info("server")["redis_version"].partition(".")[0]) < 7


OURS = [pack(new_item_id(TOLD + at * 100, b"%08d" % at), b"v") for at in range(12_000)]
JAVAS = [pack(b"%08d" % at, b"v") for at in range(12_000)]
WAYS = {
    "one": (OURS, [7_000], {"lset": 0, "ltrim": 0, "lrem": 1, "lrange": 0}),
    "a short list": (JAVAS[:20], range(1, 20), {"lset": 0, "ltrim": 0, "lrem": 19, "lrange": 0}),
    "in order": (OURS, range(700), {"lset": 0, "ltrim": 1, "lrem": 0, "lrange": 28}),
    "all but two": (JAVAS, {*range(40)} - {3, 5}, {"lset": 2, "ltrim": 1, "lrem": 2, "lrange": 8}),
    "by time": (OURS, range(99, 12_000, 120), {"lset": 100, "ltrim": 0, "lrem": 1, "lrange": 300}),
    "few": (JAVAS, range(99, 12_000, 1000), {"lset": 0, "ltrim": 0, "lrem": 12, "lrange": 6}),
    "by reading": (
        JAVAS,
        range(9, 12_000, 100),
        {"lset": 120, "ltrim": 0, "lrem": 1, "lrange": 38},
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_transfer_uses_the_expected_commands(raw: Any, way: str) -> None:
    """Its result is that of the plain script."""
    pending, due, commands = WAYS[way]
    state = State("", (0,))
    state.list = pending
    state.set = {entry: 2 * NOW - (at in due) * NOW for at, entry in enumerate(pending)}
    for words in state.laid():
        raw.execute_command(*words)
    calls, more = called(raw), tried(raw)
    ours = raw.eval(TEXT, 4, *keys(REAL), NOW, 750)
    for name, expected in commands.items():
        found = calls(name) - (more and (name == "lrem" or commands["lrange"] > 0))
        assert found <= expected if name == "lrange" else found == expected
    assert ours == raw.eval(PLAIN, 4, *keys(MODEL), NOW, 750) == b"%d" % (2 * NOW)
    assert compared(raw) == b"same"


def test_transfer_equals_the_plain_script(raw: Any) -> None:
    """Most queues are small; some have more items than the script's thresholds."""
    sizes = (5, 20, 20, 60, 60, 60, 60, 150, 150, 150, 400, 400, 400, 3000)
    states = [State(f"a{SEED}-{n}", sizes) for n in range(TRIALS // 5)]
    calls = called(raw)
    assert not differences(raw, TEXT, states)
    assert min(calls(name) for name in ("ltrim", "lset", "lrem")) > len(states) // 20


def test_transfer_with_small_thresholds_equals_the_plain_script(raw: Any) -> None:
    """Where the script trusts ids, it does not see a duplicate if an entry is missing as well."""
    sizes = (5, 20, 40, 40, 80)
    states = [State(f"b{SEED}-{n}", sizes, doubles_are_told=True) for n in range(TRIALS * 4 // 5)]
    calls = called(raw)
    assert not differences(raw, small_transfer(), states)
    assert min(calls(name) for name in ("ltrim", "lset", "lrem")) > len(states) // 20


JAVA_AMONG_OURS = [*OURS[:-100], *JAVAS[:100]]
CUTS = {
    "by time": (OURS, range(99, 12_000, 100), 100),
    "of two kinds": (JAVA_AMONG_OURS, range(99, 12_000, 100), 100),
    "in order": (OURS, range(700), 700),
    "by reading": (JAVAS, range(99, 12_000, 100), 120),
}


@pytest.mark.parametrize("way", CUTS)
def test_a_call_does_less_where_the_list_is_long(raw: Any, way: str) -> None:
    """A call moves fewer items only if each costs a search in the list; else it would be slower."""
    pending, due, moved = CUTS[way]
    state = State("", (0,))
    state.list = pending
    state.set = {entry: 2 * NOW - (at in due) * NOW for at, entry in enumerate(pending)}
    for words in state.laid():
        raw.execute_command(*words)
    ours = raw.eval(transfer_with(WORK=12_000 * 100), 4, *keys(REAL), NOW, 750)
    assert raw.llen(REAL.name) == moved
    assert ours == raw.eval(PLAIN, 4, *keys(MODEL), NOW, moved)
    assert compared(raw) == b"same"


LESS: list[dict[str, int]] = [
    {"WORK": 100},
    {"SEARCHED": 3, "STEP": 4},
    {"ENOUGH": 100, "STEP": 4},
    {"SMALL": 0, "BYTES": 500, "PASSED": 60},
    {"SMALL": 0, "BYTES": 1500, "READS": 3},
]


@pytest.mark.parametrize("less", LESS, ids=str)
def test_call_leaves_the_other_items_as_they_were(raw: Any, less: dict[str, int]) -> None:
    """A call moves some of the due items, the earliest, and reports that more are due."""
    text, cut = small_transfer(**less), 0
    for state in [State(f"c{SEED}-{n}", (40, 80), doubles_are_told=True) for n in range(300)]:
        for words in state.laid():
            raw.execute_command(*words)
        before, due = raw.zcard(REAL.timeout_set), raw.zcount(REAL.timeout_set, "-inf", NOW)
        ours = raw.eval(text, 4, *keys(REAL), NOW, 750)
        moved = before - raw.zcard(REAL.timeout_set)
        assert moved > 0 or not due
        cut += moved < due
        assert ours == raw.eval(PLAIN, 4, *keys(MODEL), NOW, moved), state.seed
        assert compared(raw) == b"same", state.seed
    assert cut > 10


SIZES = {
    "of 1 MB": [2**20] * 6,
    "of 100 KB": [100_000] * 20,
    "of two sizes": [100, 100_000] * 20,
    "small ones first": [100] * 50 + [100_000] * 20,
}


@pytest.mark.parametrize("order", ["in order", "any"])
@pytest.mark.parametrize("sizes", SIZES)
def test_a_call_moves_few_large_values(raw: Any, sizes: str, order: str) -> None:
    """A call moves at most half a MB and one value, while 32 MB are pending."""
    state, draw = State("", (0,)), random.Random(order)
    due = [pack(b"%08d" % at, b"v" * size) for at, size in enumerate(SIZES[sizes])]
    later = [pack(b"%08d" % at, b"w" * 100_000) for at in range(100, 400)]
    state.set = {entry: NOW + NOW * (entry in later) for entry in [*due, *later]}
    state.list = [*due, *later]
    if order == "any":
        draw.shuffle(state.list)
    for words in state.laid():
        raw.execute_command(*words)
    moved = 0
    while moved < len(due):
        ours = raw.eval(TEXT, 4, *keys(REAL), NOW, 750)
        before, moved = moved, raw.llen(REAL.name)
        assert before < moved
        assert sum(map(len, due[before : moved - 1])) < 2**19
        assert ours == raw.eval(PLAIN, 4, *keys(MODEL), NOW, moved - before)
    assert compared(raw) == b"same"


def test_large_elements_are_not_read_to_find_others(raw: Any) -> None:
    """The script does not read 30 MB, because LREM finds an element without that."""
    state, places = State("", (0,)), range(2, 300, 7)
    state.list = [pack(b"%08d" % at, b"v" * 100_000) for at in range(300)]
    for at in places:
        state.list[at] = pack(b"%08d" % at, b"small")
    state.set = {entry: 2 * NOW - (at in places) * NOW for at, entry in enumerate(state.list)}
    for words in state.laid():
        raw.execute_command(*words)
    calls = called(raw)
    raw.eval(TEXT, 4, *keys(REAL), NOW, 750)
    assert calls("lrange") < 10 < calls("lrem")
    raw.eval(PLAIN, 4, *keys(MODEL), NOW, raw.llen(REAL.name))
    assert compared(raw) == b"same"


def test_entries_of_java_in_a_list_too_large_to_be_read(raw: Any) -> None:
    """LREM removes a few of them. Neither the list nor the other due items are read in vain."""
    state = State("", (0,))
    state.list = [pack(b"%08d" % at, b"v" * 1000) for at in range(8_000)]
    state.set = {entry: NOW - at % 997 for at, entry in enumerate(state.list)}
    for words in state.laid():
        raw.execute_command(*words)
    calls, more = called(raw), tried(raw)
    ours = raw.eval(TEXT, 4, *keys(REAL), NOW, 750)
    found = [calls(name) for name in ("zrangebyscore", "lrange", "lrem")]
    assert found == [3, 7 + 2 * more, 20 + more]
    assert ours == raw.eval(PLAIN, 4, *keys(MODEL), NOW, 20)
    assert compared(raw) == b"same"


def test_readable_items_are_moved_although_poison_is_refused(raw: Any) -> None:
    """All of them are moved, even where a call would do less, because they were already pushed."""
    bad = [b"\x10P%d" % at for at in range(3)]
    raw.delete(*REAL.keys(), *MODEL.keys())
    raw.set(REAL.poison, "no list")
    raw.rpush(REAL.delay_list, *OURS[:60], *bad)
    due = OURS[:60:2]
    raw.zadd(REAL.timeout_set, {m: NOW if m in due + bad else 2 * NOW for m in OURS[:60] + bad})
    with pytest.raises(redis.ResponseError, match="WRONGTYPE"):
        raw.eval(small_transfer(WORK=200), 4, *keys(REAL), NOW, 750)
    assert raw.llen(REAL.name) == len(due)
    assert raw.lrange(REAL.delay_list, 0, -1) == [*OURS[1:60:2], *bad]
    assert raw.zrangebyscore(REAL.timeout_set, "-inf", NOW) == bad
    raw.delete(REAL.poison)
