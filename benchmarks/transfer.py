"""The transfer script beside Redisson's own: microseconds an item, the longest block, a drain.

The rule: the cost of a call is its time in SLOWLOG. Each turn begins with a copy of the same items,
and moves some of them in as many calls as half a second has. Redisson's script is taken from the
wire. It moves 100 items a call; pyredisson's moves as many as its transfer task asks for.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import redis

from benchmarks.measure import Bench
from pyredisson._sync.background.transfer_task import BATCH
from pyredisson.protocol.kernel.names import QueueNames
from pyredisson.protocol.kernel.scripts import load

NAME = "transfer"
SIZES = (1_000, 10_000, 100_000, 1_000_000)
SECONDS = 0.5
ORDERS = {"in order": "number", "random delays": "steady", "permutation": "any"}
"""Due as offered; as a queue looks after a long time of offers with random delays; any."""

FILL = """
math.randomseed(ARGV[1])
local size, order, ours = tonumber(ARGV[2]), ARGV[3], ARGV[4] == 'ours'
local random, pairs, entries = math.random, {}, {}
local function store()
    if #entries > 0 then
        redis.call('zadd', KEYS[1], unpack(pairs))
        redis.call('rpush', KEYS[2], unpack(entries))
        pairs, entries = {}, {}
    end
end
for number = tonumber(ARGV[1]), tonumber(ARGV[5]) do
    local age, due = 2 * size - number, number
    if order == 'any' then
        due = random() * size
    elseif order == 'steady' then
        due = random() * 2 * size - age
    end
    if due > 0 then
        local id = struct.pack('<I4I4', random() * 2 ^ 32, random() * 2 ^ 32)
        if ours then
            id = 'P' .. string.sub(struct.pack('>L', 179e13 + number * 1000), 2) .. id
        end
        local value = string.rep(string.format('%07d', number), 10)
        entries[#entries + 1] = struct.pack('Bc0Lc0', #id, id, #value, value)
        pairs[#pairs + 1] = string.format('%.0f', due * 1000)
        pairs[#pairs + 1] = entries[#entries]
        if #entries == 1000 then
            store()
        end
    end
end
store()
"""
"""Stores the items of a range of numbers. ARGV: first, size, order, whose ids, last."""


class Turn(NamedTuple):
    """The figures of one contestant's turn."""

    item: float
    block: float
    rate: float


UNITS = {"an item": "us", "a block": "ms", "drain": "/s"}
"""The units of a `Turn`'s fields, in their order."""


def _keys(name: str) -> tuple[str, ...]:
    names = QueueNames.of(name)
    return names.name, names.timeout_set, names.delay_list, names.poison


def _fill(client: Any, name: str, size: int, order: str, ids: str) -> None:
    _, timed, listed, _ = _keys(name)
    count = 2 * size if order == "steady" else size
    for first in range(1, count + 1, 10_000):
        last = min(first + 9_999, count)
        client.eval(FILL, 2, timed, listed, first, size, order, ids, last)


def _turn(client: Any, source: str, text: str | bytes, keys: int, limit: int) -> Turn:
    """Move items of a copy for a while."""
    client.delete(*_keys("bench"))
    for whose, copied in zip(_keys(source)[1:3], _keys("bench")[1:3], strict=True):
        client.copy(whose, copied)
    sha = client.script_load(text)
    client.slowlog_reset()
    start = time.perf_counter()
    while time.perf_counter() < start + SECONDS and client.evalsha(
        sha, keys, *_keys("bench")[:keys], 1 << 53, limit
    ):
        pass
    seconds = time.perf_counter() - start
    moved = client.llen("bench")
    calls = [each["duration"] for each in client.slowlog_get(-1) if sha in str(each["command"])]
    client.delete(*_keys("bench"))
    return Turn(sum(calls) / moved, max(calls) / 1000, moved / seconds)


def _contestants(bench: Bench, client: Any) -> dict[str, Callable[[], Turn]]:
    """Return the contestants, each with the items that `_fill` stored for it."""
    found: dict[str, Callable[[], Turn]] = {}
    ours = load("delayed/transfer").text
    if bench.java is not None:
        from interop.tests.support.transfer import sent_by_java  # noqa: PLC0415 - only with Java

        theirs = sent_by_java(bench.server, bench.java, "bench-java").text
        found["Redisson"] = partial(_turn, client, "theirs", theirs, 3, 100)
    found["pyredisson"] = partial(_turn, client, "ours", ours, 4, BATCH)
    found["pyredisson, Java's ids"] = partial(_turn, client, "theirs", ours, 4, BATCH)
    return found


def run(bench: Bench) -> None:
    """Move due items in three orders, from few and from many pending ones."""
    with redis.Redis(port=bench.server.port) as client:
        contestants = _contestants(bench, client)
        client.config_set("slowlog-log-slower-than", 0)
        client.config_set("slowlog-max-len", 100_000)
        for size in SIZES[:2] if bench.quick else SIZES:
            some = replace(bench, rounds=min(bench.rounds, 3 if size < SIZES[-1] else 2))
            for order, how in ORDERS.items():
                client.flushdb()
                for whose in ("ours", "theirs"):
                    _fill(client, whose, size, how, whose)
                case = f"{order}, {size:,} pending"
                turns = some.interleave(contestants, what=case)
                for place, (figure, unit) in enumerate(UNITS.items()):
                    figures = {name: [turn[place] for turn in of] for name, of in turns.items()}
                    bench.record(
                        NAME, f"{case}: {figure}", figures, unit=unit, reference="Redisson"
                    )
        client.config_set("slowlog-log-slower-than", 10_000)
