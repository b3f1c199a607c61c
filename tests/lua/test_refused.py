"""Scripts that are refused half-way lose nothing and store nothing twice; the error says where.

For each script and each command in it, a user may not run that command. Each key in turn has a
wrong type, and once the server has no memory. Rule: afterwards the keys are as before, or as the
same script leaves them if it is not refused. The cases are made from the scripts themselves, so a
new script, or a new command in one, is a case or a failure.
"""

import hashlib
import re
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest
import redis

from pyredisson.codecs import StringCodec
from pyredisson.protocol.buckets.bucket import BucketProtocol
from pyredisson.protocol.checks.check import CheckProtocol
from pyredisson.protocol.checks.examine import permitted, sizes
from pyredisson.protocol.checks.stats import stats_of
from pyredisson.protocol.consumers.cleanup import reap
from pyredisson.protocol.consumers.consumer import ConsumerProtocol
from pyredisson.protocol.dead_letters.dead_letters import DeadProtocol
from pyredisson.protocol.delayed.carried import carry
from pyredisson.protocol.delayed.delayed_queue import DelayedQueueProtocol, heads_of
from pyredisson.protocol.delayed.entry import WireFormat
from pyredisson.protocol.delayed.item_id import new_item_id
from pyredisson.protocol.kernel.command import Eval, Operation
from pyredisson.protocol.kernel.give_back import without_memory
from pyredisson.protocol.kernel.names import ConsumerNames, QueueNames
from pyredisson.protocol.kernel.scripts import load, source
from pyredisson.protocol.objects.expirable import ExpirableProtocol
from pyredisson.protocol.poison.poison_list import PoisonProtocol
from pyredisson.protocol.queues.queue import End, QueueProtocol
from tests.support.dump import KeyDump, dump
from tests.support.families import FAMILIES
from tests.support.flow import FLOW
from tests.support.full_memory import NEEDS_MEMORY
from tests.support.groups import GROUPED, GROUPS, LOST, Fields, record
from tests.support.halves import CASES as HALVES
from tests.support.keyed import KEYED
from tests.support.lookups import LOOKUPS, RECEIPT
from tests.support.rows import each_row
from tests.support.schedules import ADD, LOOK, REMOVE, REMOVE_TIME, REPLACE, SCHEDULED
from tests.support.server import RedisServer
from tests.support.state import clock_of, pack
from tests.support.stored import store
from tests.unit.protocol.kernel.test_scripts import SCRIPTS

NAMES = QueueNames.of("q")
LIST, SET, POISON, OLD = NAMES.delay_list, NAMES.timeout_set, NAMES.poison, WireFormat.LEGACY

D = DelayedQueueProtocol(NAMES, StringCodec())
Q = QueueProtocol("q", StringCodec())
P = PoisonProtocol("q", StringCodec())
B: BucketProtocol[str] = BucketProtocol("b", StringCodec())
K = ExpirableProtocol((LIST, SET))
N = ConsumerNames.of("q")
C = ConsumerProtocol(N)
ASKING = ConsumerProtocol(N, due_times=True)
CHECK = CheckProtocol(N)
DEAD = DeadProtocol(N, StringCodec())
A, BAD, LAST, NEW = pack(b"a"), b"bad", pack(b"c"), ("new list", "new set")
STORED: dict[str, Any] = {
    LIST: [A, BAD, LAST],
    SET: {A: 1, BAD: 2, LAST: 3},
    "q": [b"x", b"y"],
    "b": b"v",
}
HELD = record(b"v")
WORK = (
    ("q", [b"x", b"y"]),
    (N.leases, {b"ended": 1, b"held": 2**52}),
    (N.taken, Fields(ended=HELD, held=HELD)),
    (N.dead, {b"i": 1}),
    (N.letters, Fields(i=b"\0\0\0\2{}" + HELD)),
)
NOTED = (NAMES.due, Fields({hashlib.sha1(b"x").hexdigest(): b"5", "other": b"6"}))
LISTED, ALL = pack(b"l"), [A, TIMED := pack(b"t"), b"worse"]
DIVERGED = (
    (LIST, [A, BAD, LISTED, BAD]),
    (SET, {A: 1, BAD: 2, TIMED: 3, b"worse": 4}),
    (N.leases, {b"lone": 5, b"held": 2**52}),
    (N.taken, Fields(lost=HELD, held=HELD)),
)


@dataclass(frozen=True)
class Case:
    """A call of a script, and the keys before it."""

    call: Operation[Any]
    more: tuple[str, ...] = ()
    """Commands that the script gets as an argument."""
    stored: tuple[tuple[str, Any], ...] = tuple(STORED.items())
    also: str = ""

    @property
    def eval(self) -> Eval[Any]:
        assert isinstance(self.call, Eval)
        return self.call

    @property
    def script(self) -> str:
        return self.eval.script.name

    @property
    def commands(self) -> list[str]:
        text = load(self.script).text
        found = re.findall(r"\b(?:call|remove|count)\('(\w+)'", text)
        return sorted({*map(str.lower, found), *self.more})

    def __str__(self) -> str:
        return self.script + self.also


def pending(entries: list[bytes], due: Collection[int]) -> tuple[tuple[str, Any], ...]:
    """Return the keys of a queue in which the entries at the places of `due` are due."""
    scores = {entry: 1 if at in due else 99 for at, entry in enumerate(entries)}
    return ((LIST, entries), (SET, scores), ("q", [b"x"]))


JAVAS = [pack(b"%d" % number, b"%08d" % number) for number in range(600)]
OURS = [pack(b"", new_item_id(10**15 + number, bytes(8))) for number in range(10_050)]
MANY = [D.receipt(b"v", n, bytes([n] * 8)) for n in (2, 0, 1)]
FIRST = D.receipt(b"", 5, new_item_id(10**15, bytes(8)))

MORE = (*FLOW, *HALVES, *LOOKUPS, *FAMILIES)
CASES = [
    Case(D.offer(D.receipt(b"v", 0, bytes(8)))),
    Case(D.offer_many(MANY)),
    *(Case(call, stored=stored, also=also) for call, stored, also in KEYED),
    Case(carry("q", [(5, b"a"), (6, b"b")], b"bytes", 1)),
    Case(D.transfer(9, 100)),
    Case(D.transfer(9, 100), stored=pending(JAVAS, {*range(40)} - {3, 7}), also=" in front"),
    Case(D.transfer(9, 100), stored=pending(JAVAS, range(5, 600, 11)), also=" by reading"),
    Case(D.transfer(9, 100), stored=pending(OURS, range(5, 10_050, 400)), also=" by time"),
    Case(D.transfer(9, 100, due_times=True), also=" with due times"),
    Case(heads_of([N, ConsumerNames.of("r")])),
    Case(D.poll_many(3)),
    Case(D.poll_last_and_offer_first_to("r")),
    Case(
        D.poll_last_and_offer_first_to("r"),
        stored=((LIST, [A, BAD]), (SET, {A: 1, BAD: 2})),
        also=" of poison",
    ),
    Case(D.contains("a")),
    Case(D.contains_all("ac")),
    Case(D.remove("c")),
    Case(D.remove_all("ac")),
    Case(D.retain_all("a")),
    Case(D.remove_entry(A)),
    Case(D.cancel(RECEIPT), stored=pending([A, RECEIPT.entry], ())),
    Case(D.cancel(FIRST), stored=pending(OURS[:600], ()), also=" by time"),
    Case(D.reschedule(RECEIPT), stored=pending([A, RECEIPT.entry], ())),
    Case(D.page((A, b"1"), 9)),
    Case(D.page((LAST, b"1"), 9), also=" of one that is gone"),
    Case(Q.pop_many(End.LAST, 3), more=("rpop",)),
    Case(Q.drain(None)),
    Case(Q.drain(1), also=" one"),
    Case(Q.contains_all("xy")),
    Case(Q.remove_all("xy")),
    Case(Q.retain_all("y")),
    Case(without_memory(Q.push(End.LAST, "az")), more=("rpush", "zadd")),
    Case(P.requeue(BAD), stored=((POISON, [b"x", BAD, b"y"]), ("q", [b"z"]))),
    Case(C.take(2, 1000, bytes(14)), stored=WORK),
    Case(C.take(2, 1000, bytes(14)), stored=(*WORK[1:], (N.returned, {b"h": 0})), also=" none"),
    Case(ASKING.take(2, 1000, bytes(14)), stored=(*WORK, NOTED), also=" with due times"),
    Case(ASKING.take(2, 1000, bytes(14)), stored=(NOTED,), also=" with stale due times"),
    *(Case(call, stored=stored, also=also) for call, stored, also in MORE),
    Case(C.ack([b"held", b"ended", b"none"]), stored=WORK),
    Case(C.extend([b"held", b"ended"], 2**52), stored=WORK),
    Case(C.release([b"held", b"ended"], started=False), stored=WORK),
    Case(C.postpone(b"held", 60_000, bytes(8), WireFormat.CURRENT, started=True), stored=WORK),
    Case(C.postpone(b"held", 0, bytes(8), OLD, started=True), stored=WORK, also=" old"),
    Case(C.reject(b"held", "why", None), stored=WORK),
    Case(reap(N), stored=(*WORK, (N.arriving, [b"a", b"b"]))),
    Case(CHECK.keys(), stored=DIVERGED),
    Case(sizes((LIST, SET, "q", N.taken)), stored=DIVERGED),
    Case(permitted([["LLEN", "q"], ["GET", "b"]], "q"), stored=DIVERGED),
    Case(stats_of(N), stored=DIVERGED),
    Case(CHECK.listed(0), stored=DIVERGED),
    Case(CHECK.timeout_set_only("look", [A, TIMED]), stored=DIVERGED, also=" looks"),
    Case(CHECK.timeout_set_only("deliver", ALL), stored=DIVERGED, also=" delivers"),
    Case(CHECK.timeout_set_only("drop", ALL), stored=DIVERGED, also=" drops"),
    Case(CHECK.delay_list_only(5, [A, LISTED, LAST, BAD]), stored=DIVERGED),
    Case(CHECK.poison([BAD, LAST, b"worse"]), stored=DIVERGED),
    Case(
        CHECK.unpaired("look", CHECK.pairs()[0], [b"lone", b"lost"]), stored=DIVERGED, also=" looks"
    ),
    Case(CHECK.unpaired("repair", CHECK.pairs()[0], [b"lone", b"held", b"lost"]), stored=DIVERGED),
    Case(CHECK.groups("look", 0, [b"open", b"shut", b"none"]), stored=GROUPS, also=" looks"),
    Case(CHECK.groups("repair", 0, [b"open", b"lost", b"none"]), stored=LOST),
    Case(LOOK, stored=SCHEDULED),
    Case(REPLACE, stored=SCHEDULED),
    Case(ADD, stored=SCHEDULED, also=" a new one"),
    Case(REMOVE, stored=SCHEDULED, also=" for none"),
    Case(REMOVE_TIME, stored=SCHEDULED, also=" a time alone"),
    Case(DEAD.page((b"i", b"1"), 9), stored=WORK),
    Case(DEAD.page((b"gone", b"0"), 9), stored=WORK, also=" after one that is gone"),
    Case(DEAD.redrive([b"i", b"j"]), stored=WORK),
    Case(DEAD.drop([b"i", b"j"]), stored=WORK),
    *(Case(call, stored=stored, also=also) for call, stored, also in GROUPED),
    Case(B.get_and_set("w", 60_000)),
    Case(B.get_and_delete()),
    Case(B.compare_and_set("v", "w")),
    Case(B.compare_and_set("v", None)),
    Case(B.compare_and_delete("w", unexpected=True)),
    Case(K.expire(60_000, absolute=False, condition=""), more=("pexpire",)),
    *(Case(each) for each in (K.persist(), K.memory())),
    Case(K.copy(NEW, None, replace=False), more=("copy",)),
    Case(K.rename(NEW, only_new=True)),
    Case(K.rename(NEW, only_new=False), stored=((SET, {A: 1}), (NEW[0], [A])), also=" of one"),
    Case(K.move(1)),
]


@pytest.fixture(scope="module")
def root(shared_server: RedisServer) -> Iterator[redis.Redis]:
    """The administrator."""
    with shared_server.client() as client:
        yield client
        client.execute_command("ACL", "DELUSER", "few")


@pytest.fixture(scope="module")
def few(root: Any, shared_server: RedisServer) -> Iterator[redis.Redis]:
    """A user without one of the rights."""
    root.execute_command("ACL", "SETUSER", "few", "reset", "on", "nopass", "~*", "&*", "+@all")
    with shared_server.client(username="few", password="any") as client:
        yield client


def allow(root: Any, *rights: str) -> None:
    root.execute_command("ACL", "SETUSER", "few", "+@all", *rights)


def run(client: Any, case: Case) -> str:
    """Run the script; return the text of its error after the name of redis-py's class for it."""
    try:
        client.execute_command(*case.eval.fallback())
    except redis.ResponseError as error:
        return f"{type(error).__name__} {error}"
    return ""


STRICT = """local real, least = redis, {rpush = 2, lpush = 2, zadd = 3, hset = 3}
local redis = setmetatable({acl_check_cmd = real.acl_check_cmd and function(name, ...)
    return select('#', ...) < (least[name] or 1) and error('') or real.acl_check_cmd(name, ...)
end}, {__index = real}) """


def look(root: Any) -> dict[bytes, KeyDump]:
    """Return all keys, with "now" for a time that a consumer's script takes from the clock."""
    found = dump(root)
    now = int(time.time() * 1000)
    clock = clock_of(now)

    def timeless(value: Any) -> Any:
        if isinstance(value, bytes):
            return clock.sub(b"now", value)
        if isinstance(value, float):
            near = any(abs(value - now - later) < 3_600_000 for later in (0, 2**52, 2**53))
            return "now" if near else value
        return tuple(map(timeless, value))

    return {key: replace(each, value=timeless(each.value)) for key, each in found.items()}


def done(root: Any, case: Case) -> tuple[dict[bytes, KeyDump], dict[bytes, KeyDump]]:
    """Return the keys before the script, and after it if it is not refused."""
    store(root, case.stored)
    before = look(root)
    assert not run(root, case)
    return before, look(root)


def before_redis_7(root: Any) -> bool:
    """Before Redis 7, a script cannot ask whether it has a right."""
    info: Any = root.info("server")
    return int(info["redis_version"].partition(".")[0]) < 7


def test_every_script_has_a_case() -> None:
    assert sorted({case.script for case in CASES}) == SCRIPTS


def test_commands_that_are_no_literals_are_in_more() -> None:
    for case in CASES:
        calls = re.findall(r"\bcall\(([^',)]+)", source(case.script))
        assert bool(calls) == bool(case.more)
        assert "redis.call" not in source(case.script)


@each_row("case", CASES, ids=str)
def test_script_without_a_right_leaves_keys_as_they_were(root: Any, few: Any, case: Case) -> None:
    before, after = done(root, case)
    for command in case.commands:
        store(root, case.stored)
        allow(root, f"-{command}")
        error = run(few, case)
        if not error:  # the script did not call it, or only to notify
            assert look(root) == after
            continue
        assert "NoPermission" in error
        assert f"needs +{command}" in error
        assert command in ("memory", "exists", "time") or any(k in error for k in case.eval.keys)
        left, expected = look(root), before
        if str(case).endswith("_first_to") and command == "lpush" and before_redis_7(root):
            assert root.lrange(POISON, 0, -1) == [b"c"]  # refused too late: kept as poison
            assert root.lrange(LIST, 0, -1) == root.zrange(SET, 0, -1) == [A, BAD]
            continue
        if case.also == " of poison" and before_redis_7(root):  # the timeout set still has it
            left, expected = without(left, LIST), without(before, LIST)
        assert left == expected
    allow(root)
    store(root, case.stored)
    assert not run(few, case)


@each_row("case", CASES, ids=str)
def test_key_of_a_wrong_type_leaves_others_as_they_were(root: Any, few: Any, case: Case) -> None:
    allow(root)
    _, after = done(root, case)
    for key in case.eval.keys:
        store(root, case.stored)
        root.delete(key)
        other = ("SADD",) if isinstance(dict(case.stored).get(key), Fields) else ("HSET", "f")
        root.execute_command(other[0], key, *other[1:], "v")
        before = look(root)
        error = run(few, case)
        left = look(root)
        if error:
            assert "WRONGTYPE" in error
            assert key in error
            if key == POISON and case.script == "delayed/transfer":
                continue  # see the next test
            assert ordered(left) == ordered(before)
        elif case.script.startswith("delayed/"):
            assert without(left, key) == without(after, key)  # the script does not use that key


def test_poison_that_cannot_be_moved_stays_pending(root: Any) -> None:
    case = Case(D.transfer(9, 100))
    store(root, case.stored)
    root.hset(POISON, "f", "v")
    for _ in range(2):
        assert POISON in run(root, case)
        assert root.lrange("q", 0, -1) == [b"x", b"y", b"a", b"c"]
        assert root.lrange(LIST, 0, -1) == root.zrange(SET, 0, -1) == [BAD]


def without(state: dict[bytes, KeyDump], key: str) -> dict[bytes, KeyDump]:
    return {name: found for name, found in state.items() if name != key.encode()}


def ordered(state: dict[bytes, KeyDump]) -> dict[bytes, Any]:
    """Sort the values: an undone removal may return an element to another place of its list."""
    return {key: sorted(found.value) for key, found in state.items()}


@each_row("case", CASES, ids=str)
def test_script_without_memory_leaves_keys_as_they_were(root: Any, few: Any, case: Case) -> None:
    allow(root)
    before, after = done(root, case)
    store(root, case.stored)
    root.config_set("maxmemory", 1)
    try:
        error = run(few, case)
    finally:
        root.config_set("maxmemory", 0)
    assert look(root) == (before if error else after)
    assert not error or "memory" in error
    assert bool(error) <= (case.script in NEEDS_MEMORY)
    assert error or case.script != "delayed/offer"


@each_row("case", CASES, ids=str)
def test_scripts_ask_for_the_rights_of_whole_commands(root: Any, case: Case) -> None:
    """Redis 8 with its fixes of 2026 raises an error if the command is incomplete."""
    allow(root)
    store(root, case.stored)
    command, text, *words = case.eval.fallback()
    root.execute_command(command, STRICT + str(text), *words)


def test_script_is_refused_if_the_server_has_not_its_command() -> None:
    with RedisServer("--rename-command", "LREM", "") as server:
        root: Any = server.client()
        case = Case(D.transfer(9, 100))
        store(root, case.stored)
        before = look(root)
        error = run(root, case)
        assert "nknown" in error
        assert f"LREM {LIST}" in error
        assert look(root) == before
