"""Scripts work in a migrating slot whose keys are all still here, as in any other slot.

Redis deletes a key that a script has emptied. In a migrating slot it refuses from then on each
command of the script on that key. The cases are those of `test_refused`. Each also runs with each
of its keys, and with all of them, holding only what the script takes out.
"""

import re
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
import redis
from redis.crc import key_slot

from pyredisson.protocol.checks.check import CheckProtocol
from pyredisson.protocol.kernel.names import ConsumerNames
from pyredisson.protocol.kernel.scripts import load
from tests.lua.test_refused import BAD, CASES, JAVAS, A, Case, D, K, Q, look, pending
from tests.support.dump import KeyDump
from tests.support.families import KINDS as FAMILY_KINDS
from tests.support.groups import GL, GROUPS, Fields, G, record
from tests.support.state import clock_of, pack
from tests.support.stored import store
from tests.support.streams import Stream
from tests.support.topology import RedisCluster
from tests.unit.protocol.kernel.test_scripts import SCRIPTS

CHECK = CheckProtocol(ConsumerNames.of("q"))
TIMES = ((CHECK.names.queue.timeout_set, {b"a": 1, b"b": 2}),)
HANDS = (
    (CHECK.names.leases, {b"a": 1, b"c": 2}),
    (CHECK.names.taken, Fields(b=record(b"v"))),
)

PAIR, *_ = CHECK.pairs()
HERE = [
    Case(Q.remove_all("yxyz"), also=" again"),
    Case(D.remove_all("aca"), stored=pending([A, pack(b"a", b"another ")], ()), also=" equal"),
    Case(D.poll(), stored=pending([A], ()), also=" of one"),
    Case(D.poll_many(9), stored=pending([A, BAD], {0}), also=" all"),
    Case(D.transfer(9, 100), stored=pending([A, BAD], {0, 1}), also=" of both kinds"),
    Case(D.transfer(9, 100), stored=pending([BAD], {0}), also=" of poison"),
    Case(D.transfer(9, 100, counted=True), stored=pending(JAVAS, range(600)), also=" of all"),
    Case(CHECK.timeout_set_only("drop", [b"a", b"b", b"c"]), stored=TIMES, also=" drops all"),
    Case(CHECK.poison([b"a", b"b", b"c"]), stored=TIMES, also=" of times"),
    Case(CHECK.unpaired("repair", PAIR, [b"a", b"b", b"c"]), stored=HANDS, also=" of both kinds"),
    Case(CHECK.unpaired("repair", PAIR, [b"a", b"c", b"d"]), stored=HANDS[:1], also=" of times"),
    Case(G.ack([b"held", b"held", b"none"]), stored=GROUPS, also=" twice"),
    Case(GL.drop([b"i", b"i", b"j"]), stored=GROUPS, also=" twice"),
    Case(K.expire(0, absolute=False, condition=""), more=("pexpire",), also=" at once"),
]
"""Cases for this module alone: the script uses a key again that it has emptied."""

TAKES_OUT = re.compile(
    r"(?:(?<!p)call|remove)\("
    r"'(lpop|rpop|lrem|ltrim|del|zrem|zremrangebyrank|hdel|rename)', (?!.*none'\))"
)

Stored = dict[str, Any]
State = dict[bytes, KeyDump]

FILLED: dict[str, Any] = {
    "list": [b"stays"],
    "zset": {b"stays": 2**52},
    "hash": Fields(stays=b"\0\0\0\2{}" + record(b"stays")),
    "string": b"stays",
    "set": frozenset([b"stays"]),
    "stream": Stream({"9-0": b"stays"}, {"stays": "9-0"}),
}
"""Values for keys that a case does not set: without the key the script would wait."""

KINDS = {
    key: kind
    for name in ("q", "r")
    for key, kind in CheckProtocol(ConsumerNames.of(name)).types().items()
} | {"b": "string", "redisson_delay_queue_channel:{q}": "string", **FAMILY_KINDS}


def here(key: str) -> str:
    """Return the name under which a key of a case is in the slot of `q`."""
    return key if key == "q" or "{q}" in key else f"{key.replace('{', '<')}{{q}}"


@dataclass(frozen=True)
class Outcome:
    """The reply of a call, and the keys afterwards."""

    reply: Any
    state: State


def timeless(reply: Any) -> Any:
    """Return a reply with "now" for each time that is about now."""
    if isinstance(reply, list):
        return [timeless(each) for each in reply]
    now = int(time.time() * 1000)
    if isinstance(reply, bytes):
        return clock_of(now).sub(b"now", reply)
    times = (now, 2**52 - now)  # a moment, and the time until a late moment
    near = isinstance(reply, int) and any(abs(reply - each) < 3_600_000 for each in times)
    return "now" if near else reply


class Slot:
    """The slot of `q` at its master, which can be set to migrate to another master."""

    def __init__(self, cluster: RedisCluster) -> None:
        self.source = cluster.master_of(b"q")
        target = next(server for server in cluster.servers if server is not self.source)
        self.target = target.run("CLUSTER", "MYID")
        self.client: Any = self.source.client()

    def run(self, case: Case, stored: Stored, *, on_its_way: bool) -> Outcome:
        """Run a case on the stored keys."""
        store(self.client, stored.items())
        if on_its_way:
            self._move("MIGRATING", self.target)
        try:
            reply = self.client.execute_command(
                "EVAL", case.eval.script.text, len(case.eval.keys), *map(here, case.eval.keys),
                *case.eval.args,
            )  # fmt: skip
        except redis.ResponseError as error:
            reply = f"{type(error).__name__} {error}"
        finally:
            self._move("STABLE")
        return Outcome(timeless(reply), look(self.client))

    def _move(self, *words: Any) -> None:
        self.client.execute_command("CLUSTER", "SETSLOT", key_slot(b"q"), *words)


@pytest.fixture(scope="module")
def slot(cluster: RedisCluster) -> Slot:
    """The slot that the tests set to migrate."""
    return Slot(cluster)


def whole(case: Case) -> Stored:
    """Return the keys of a case, with a value in each key that it does not set."""
    stored = {here(key): value for key, value in case.stored}
    for key in case.eval.keys:
        stored.setdefault(here(key), FILLED[KINDS.get(key, "list")])
    return stored


def taken_out(before: Any, left: KeyDump | None) -> Any:
    """Return what a script took out of a key; nothing if it only changed the key."""
    if left is None:
        return before
    rest: Any = left.value
    if isinstance(before, list):
        more = Counter(before) - Counter(rest)
        return [value for value in before if value in more]
    if isinstance(before, Fields):
        there = {name.decode() for name, _ in rest}
        return Fields({name: value for name, value in before.items() if name not in there})
    if isinstance(before, dict):
        there = {name for name, _ in rest}
        return {name: score for name, score in before.items() if name not in there}
    return None


def emptied(stored: Stored, after: Outcome) -> dict[str, Any]:
    """Return the keys from which a script takes anything, with what it takes."""
    found = {key: taken_out(value, after.state.get(key.encode())) for key, value in stored.items()}
    return {key: value for key, value in found.items() if value}


def variants(slot: Slot, case: Case, *, types: bool = True) -> Iterator[Stored]:
    """Yield the keys in turn: as the case has them, then with keys that the script will empty.

    The last states have all such keys, and with `types` one key each of a wrong type.
    """
    stored = whole(case)
    yield stored
    reduced = emptied(stored, slot.run(case, stored, on_its_way=False))
    for key, value in reduced.items():
        yield stored | {key: value}
    stored |= reduced
    yield stored
    for key, value in stored.items() if types else ():
        yield stored | {key: [b"wrong"] if isinstance(value, dict) else Fields(f=b"wrong")}


ALL = [*CASES, *HERE]


def test_every_script_has_a_case() -> None:
    assert {case.script for case in ALL} == set(SCRIPTS)


def test_each_script_that_takes_out_empties_a_key(slot: Slot) -> None:
    takers = {case.script for case in ALL if TAKES_OUT.search(load(case.script).text)}
    empty = set()
    for case in ALL:
        stored = [*variants(slot, case, types=False)][-1]
        left = slot.run(case, stored, on_its_way=False).state
        if any(key.encode() not in left for key in stored):
            empty.add(case.script)
    only_include = {"consumers/extend", "delayed/bounded_offer", "delayed/retries"}
    leave_some = {
        "delayed/keyed_offer",
        "checks/twice",
        "collections/list_insert",
        "collections/zset_replace",
        "synchronizers/limiter_acquire",
        "topics/advance",
    }
    only_undo = {
        "locks/acquire",
        "locks/acquire_fair",
        "locks/acquire_read",
        "synchronizers/limiter_try_set_rate",
        "topics/subscribe",
    }
    latched = {"maps/cache_evict", "collections/set_cache_evict"}  # every key has a value
    guarded = {"migration/stage"}  # every key has a value, so the script stops early
    assert takers - empty == only_include | leave_some | only_undo | latched | guarded


@pytest.mark.parametrize("case", ALL, ids=str)
def test_script_does_the_same_in_a_migrating_slot(slot: Slot, case: Case) -> None:
    for stored in variants(slot, case):
        usual = slot.run(case, stored, on_its_way=False)
        assert slot.run(case, stored, on_its_way=True) == usual, stored
