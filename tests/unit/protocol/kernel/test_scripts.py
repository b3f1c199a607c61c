"""The header of each script declares keys, arguments and result; callers pass exactly these."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import pyredisson.protocol
from pyredisson.codecs import StringCodec
from pyredisson.protocol.buckets.bucket import BucketProtocol
from pyredisson.protocol.checks.check import CheckProtocol
from pyredisson.protocol.checks.examine import permitted, sizes
from pyredisson.protocol.checks.halves import GroupHead, HalvesProtocol
from pyredisson.protocol.checks.returned import ReturnedProtocol
from pyredisson.protocol.checks.stats import stats_of
from pyredisson.protocol.consumers.cleanup import forget_keys, reap
from pyredisson.protocol.consumers.consumer import ConsumerProtocol
from pyredisson.protocol.consumers.delivery import Delivery
from pyredisson.protocol.consumers.in_flight import held_by_consumers
from pyredisson.protocol.dead_letters.dead_letters import DeadProtocol
from pyredisson.protocol.delayed.bounded import Bound
from pyredisson.protocol.delayed.carried import carry
from pyredisson.protocol.delayed.dedup import Dedup, offer_once, pending_with
from pyredisson.protocol.delayed.delayed_queue import DelayedQueueProtocol, heads_of
from pyredisson.protocol.delayed.entry import WireFormat
from pyredisson.protocol.delayed.lookup import find, retries
from pyredisson.protocol.kernel.command import Eval
from pyredisson.protocol.kernel.give_back import without_memory
from pyredisson.protocol.kernel.names import ConsumerNames, QueueNames, ScheduleNames, WindowNames
from pyredisson.protocol.kernel.scripts import load, source
from pyredisson.protocol.objects.expirable import ExpirableProtocol
from pyredisson.protocol.objects.pages import START
from pyredisson.protocol.poison.poison_list import PoisonProtocol
from pyredisson.protocol.queues.pause import pause, resume
from pyredisson.protocol.queues.queue import End, QueueProtocol
from pyredisson.protocol.schedules.schedule import Plan, ScheduleProtocol
from pyredisson.protocol.windows.window import (
    GroupLettersProtocol,
    GroupsProtocol,
    WindowProtocol,
)
from tests.support.families import CALLS as FAMILY_CALLS
from tests.support.rows import each_row

PROTOCOL = Path(pyredisson.protocol.__file__).parent
PATHS = {f"{each.parts[-3]}/{each.stem}": each for each in PROTOCOL.glob("*/lua/*.lua")}
FILES = sorted(PATHS)
SCRIPTS = [name for name in FILES if not Path(name).name.startswith("_")]
INCLUDED = [name for name in FILES if name not in SCRIPTS]

Q = QueueProtocol("q", StringCodec())
D = DelayedQueueProtocol(QueueNames.of("q"), StringCodec())
B: BucketProtocol[str] = BucketProtocol("b", StringCodec())
K = ExpirableProtocol(("d", "t"))
C = ConsumerProtocol(ConsumerNames.of("q"))
CHECK = CheckProtocol(ConsumerNames.of("q"))
ENTRIES = ReturnedProtocol(ConsumerNames.of("q"))
HALVES = HalvesProtocol(ConsumerNames.of("q"))
DEAD = DeadProtocol(ConsumerNames.of("q"), StringCodec())
W = WindowProtocol(WindowNames.of("q"), StringCodec(), WireFormat.CURRENT)
G = GroupsProtocol.of(WindowNames.of("q"))
S = ScheduleProtocol(ScheduleNames.of("q"))
NEW = ("d2", "t2")
P = PoisonProtocol("q", StringCodec())
RECEIPT = D.receipt(b"v", 5, bytes(8))
SHORT: Any = RECEIPT.short()

CALLERS: list[Any] = [
    D.offer(RECEIPT),
    D.offer_many([RECEIPT, RECEIPT]),
    Bound(9, 0.0).offer(QueueNames.of("q"), [RECEIPT, RECEIPT]),
    offer_once(D.names, RECEIPT, Dedup(b"k", "ignore")),
    forget_keys(D.names),
    carry("q", [(5, b"v")], b"bytes", 1),
    pending_with(D.names, b"k"),
    D.transfer(5, 100),
    D.transfer(5, 100, due_times=True),
    heads_of([ConsumerNames.of("q"), ConsumerNames.of("r")]),
    D.poll(),
    D.poll_many(3),
    D.poll_last_and_offer_first_to("r"),
    D.contains("a"),
    D.contains_all("ab"),
    D.remove("a"),
    D.remove_all("ab"),
    D.retain_all("ab"),
    D.remove_entry(b"m"),
    D.cancel(RECEIPT),
    D.reschedule(RECEIPT),
    find(D.names, SHORT),
    retries(D.names, RECEIPT),
    D.page(START, 9),
    Q.pop_many(End.FIRST, 3),
    Q.drain(None),
    Q.contains_all("ab"),
    Q.remove_all("ab"),
    Q.retain_all("ab"),
    without_memory(Q.push(End.LAST, "ab")),
    P.requeue(b"a"),
    pause(C.names),
    resume(C.names),
    C.take(5, 1000, bytes(14)),
    C.take(5, 1000, bytes(14), expiring=True),
    C.wait(5, 1000, bytes(14), 1.0),
    C.take(5, 1000, bytes(14), called=b"1234me"),
    C.take(5, 1000, bytes(14), expiring=True, called=b"1234me"),
    held_by_consumers(C.names, START, 9),
    ConsumerProtocol(C.names, due_times=True).take(5, 1000, bytes(14)),
    ConsumerProtocol(C.names, due_times=True).take(5, 1000, bytes(14), called=b"1234me"),
    ConsumerProtocol(C.names, due_times=True).take(5, 1000, bytes(14), expiring=True),
    C.ack([b"t"]),
    C.extend([b"t"], 1000),
    C.extend([b"t"], 1000, b"1234me"),
    C.release([b"t", b"u"], started=True),
    C.release_unstarted([Delivery(b"t", bytes(16), 1, 0, 0, 0, b"", expires_ms=5)]),
    C.expire([b"t"]),
    C.postpone(b"t", 1000, bytes(8), WireFormat.CURRENT, started=True),
    C.reject(b"t", "why", None),
    reap(C.names),
    CHECK.keys(),
    stats_of(ConsumerNames.of("q")),
    sizes(["q"]),
    permitted([("LLEN", "q")], "q"),
    CHECK.listed(0),
    CHECK.timeout_set_only("look", [b"m"]),
    CHECK.delay_list_only(5, [b"m"]),
    CHECK.poison([b"m"]),
    CHECK.unpaired("look", CHECK.pairs()[0], [b"t"]),
    CHECK.groups("look", 5, [b"t"]),
    CHECK.twice("look", [b"m"]),
    ENTRIES.times_alone("look", ENTRIES.known()[0], [b"m"]),
    ENTRIES.records_alone("look", ENTRIES.known()[0], [(b"e", b"")]),
    HALVES.fields("h", 0),
    HALVES.cut_short("look", CHECK.pairs()[0], [b"t"]),
    HALVES.letters("look", [b"i"]),
    HALVES.dead_values(0),
    CHECK.heads(0),
    HALVES.values(0),
    HALVES.group("look", b"s", GroupHead()),
    HALVES.keys_alone("look", [b"k"]),
    HALVES.unnamed("look", [b"m"]),
    S.check(5, 0, 9),
    S.put(b"n", None, Plan(b"v", "once"), [5], now=5, random=bytes(8)),
    S.remove(b"n", None),
    DEAD.page(START, 9),
    DEAD.redrive([b"i"]),
    DEAD.drop([b"i"]),
    W.offer(b"k", b"v", 2, 1000, bytes(24)),
    W.cancel(b"k"),
    W.pending(0),
    G.ack([b"t"]),
    G.read([b"v"]),
    G.hold([Delivery.of(b"t", bytes(44) + b"v")]),
    GroupLettersProtocol.of(WindowNames.of("q"), StringCodec()).drop([b"i"]),
    B.get_and_set("a", 5),
    B.get_and_delete(),
    B.compare_and_set("a", "b"),
    B.compare_and_set("a", None),
    *FAMILY_CALLS,
    K.expire(5, absolute=True, condition="NX"),
    K.persist(),
    K.memory(),
    K.copy(NEW, 1, replace=True),
    K.rename(NEW, only_new=True),
    K.move(1),
]


@dataclass
class Signature:
    """The declarations of a script's header; `any_keys` and `any_args` mean any number.

    A caller may omit optional keys and arguments, from the last one on.
    """

    keys: list[int]
    args: list[int]
    optional: tuple[int, int]
    """The numbers of optional keys and arguments; these are the last ones."""
    any_keys: bool
    any_args: bool


def header(name: str) -> str:
    """Return the comment lines at the start of a script."""
    lines = []
    for line in source(name).splitlines():
        if not line.startswith("--"):
            break
        lines.append(line.removeprefix("--").strip())
    return "\n".join(lines)


def declared(name: str) -> Signature:
    of_these = re.compile("(Optional )?(KEYS|ARGV)")
    lines = [line for line in header(name).splitlines() if of_these.match(line)]
    text = "\n".join(lines)
    optional = "\n".join(line for line in lines if line.startswith("Optional "))
    return Signature(
        optional=(optional.count("KEYS["), optional.count("ARGV[")),
        keys=[int(number) for number in re.findall(r"KEYS\[(\d+)\] \S", text)],
        args=[int(number) for number in re.findall(r"ARGV\[(\d+)\] \S", text)],
        any_keys=any(re.match(r"KEYS +\S", line) for line in lines),
        any_args=any(re.match(r"ARGV +\S", line) for line in lines),
    )


def test_scripts_and_included_files() -> None:
    assert len(SCRIPTS) > 15
    assert INCLUDED == [
        "bloom/_current",
        "collections/_parts",
        "collections/_unused",
        "consumers/_consumers",
        "consumers/_ended",
        "consumers/_expiry",
        "consumers/_pending",
        "consumers/_records",
        "consumers/_returns",
        "consumers/_takers",
        "consumers/_taking",
        "counters/_number",
        "dead_letters/_letter",
        "delayed/_behind",
        "delayed/_dedup",
        "delayed/_due",
        "delayed/_entry",
        "delayed/_near",
        "delayed/_places",
        "delayed/_times",
        "delayed/_typed",
        "kernel/_clock",
        "kernel/_errors",
        "kernel/_prelude",
        "kernel/_steps",
        "local_maps/_publish",
        "locks/_notify",
        "locks/_readers",
        "locks/_waiters",
        "maps/_cache",
        "maps/_cache_events",
        "maps/_cache_store",
        "migration/_items",
        "migration/_window",
        "objects/_scan",
        "synchronizers/_keep_alive",
        "synchronizers/_limiter",
        "synchronizers/_log",
        "synchronizers/_permits",
        "synchronizers/_rate",
        "topics/_subscribers",
        "windows/_dropped",
        "windows/_groups",
        "windows/_open",
    ]


def test_every_script_has_a_caller() -> None:
    assert sorted({call.script.name for call in CALLERS}) == SCRIPTS


@each_row("name", SCRIPTS)
def test_header_has_purpose_keys_result_and_redissons_name(name: str) -> None:
    lines = [line for line in header(name).splitlines() if not re.match("include|frame", line)]
    assert lines[0].endswith(".")
    assert any(line.startswith("KEYS") for line in lines)
    assert sum(line.startswith("Returns ") for line in lines) == 1
    assert re.match(r"Redisson: .*\bRedisson\w+", lines[-1])
    signature = declared(name)
    assert bool(signature.keys) != signature.any_keys
    assert not (signature.args and signature.any_args)
    for numbers in (signature.keys, signature.args):
        assert numbers == list(range(1, len(numbers) + 1))


@each_row("call", CALLERS, ids=lambda call: call.script.name)
def test_a_caller_passes_what_the_header_declares(call: Eval[Any]) -> None:
    signature = declared(call.script.name)
    keys, args = len(signature.keys), len(signature.args)
    assert signature.any_keys or keys - signature.optional[0] <= len(call.keys) <= keys
    assert len(call.keys) > 0
    if signature.any_args:
        assert len(call.args) > 0
    else:
        assert args - signature.optional[1] <= len(call.args) <= args


@each_row("name", SCRIPTS)
def test_a_script_uses_what_it_declares_and_nothing_else(name: str) -> None:
    """Two kinds of scripts have an unused key. For offers it is the target list, as in Redisson."""
    text, signature = load(name).text, declared(name)
    passed_only = {1} if name.startswith(("delayed/offer", "checks/permitted")) else set()
    for word, numbers, all_of_them in (
        ("KEYS", set(signature.keys) - passed_only, signature.any_keys),
        ("ARGV", set(signature.args), signature.any_args),
    ):
        used = set(map(int, re.findall(rf"{word}\[(\d+)\]", text)))
        assert used == numbers
        assert bool(re.search(rf"#{word}\b", text)) is all_of_them


@each_row("name", FILES)
def test_a_file_is_plain_ascii_and_ends_with_a_newline(name: str) -> None:
    data = PATHS[name].read_bytes()
    assert data.isascii()
    assert data.endswith(b"\n")
    assert b"\t" not in data
    assert b"\r" not in data
    assert not re.search(rb"[^\S\n]+\n", data)


@each_row("name", SCRIPTS)
def test_comments_are_not_sent(name: str) -> None:
    text = load(name).text
    assert "--" not in text
    assert text == text.strip() + "\n"
    assert not re.search(r"\n\s*\n", text)


@each_row("name", SCRIPTS)
def test_code_is_sent_unchanged(name: str) -> None:
    """The text has the words of the file without comments; no string in a script contains `--`."""
    folder = name.partition("/")[0]
    parts = []
    for include in re.findall(r"include: ([\w/]+)", source(name)):
        home, _, part = include.rpartition("/")
        parts.append(f"{home or folder}/_{part}")
    code = "".join(source(part) for part in (*parts, name))
    framed = source("kernel/_prelude").replace("-- script", code)
    whole = source("kernel/_errors") + (code if "frame: none" in source(name) else framed)
    assert load(name).text.split() == re.sub(r"--.*", "", whole).split()


@each_row("name", SCRIPTS)
def test_functions_are_included_where_they_are_used(name: str) -> None:
    text = load(name).text
    includes = re.search("include: (delayed/)?entry$", source(name), re.MULTILINE) is not None
    assert ("local function value_of" in text) is includes
    assert ("value_of(" in text) is includes
    assert text.count("local function value_of") <= 1


@each_row("name", SCRIPTS)
def test_the_hash_is_that_of_what_is_sent(name: str) -> None:
    script = load(name)
    assert script.name == name
    assert script.sha == hashlib.sha1(script.text.encode()).hexdigest()


def test_scripts_differ() -> None:
    assert len({load(name).sha for name in SCRIPTS}) == len(SCRIPTS)


def test_a_script_is_loaded_once() -> None:
    assert load("delayed/transfer") is load("delayed/transfer")


def test_comments_are_stripped_and_parts_included(monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "kernel/_errors": "told\n",
        "kernel/_prelude": "-- Why.\nbegin\n-- script\nend\n",
        "some/_one": "-- a comment\nlocal one = 1\n",
        "some/two": "-- include: one\n-- Header.\nreturn one  -- why\n\n",
        "some/four": "-- include: other/five\n-- Header.\nreturn five\n",
        "other/_five": "local five = 5\n",
        "some/three": "-- frame: none\n-- Header.\nreturn 3\n",
    }
    monkeypatch.setattr("pyredisson.protocol.kernel.scripts.source", files.__getitem__)
    assert load.__wrapped__("some/two").text == "told\nbegin\nlocal one = 1\nreturn one\nend\n"
    assert load.__wrapped__("some/four").text == "told\nbegin\nlocal five = 5\nreturn five\nend\n"
    assert load.__wrapped__("some/three").text == "told\nreturn 3\n"


def test_an_unknown_script_is_an_error() -> None:
    with pytest.raises(FileNotFoundError):
        load("queues/no_such_script")


@each_row("name", SCRIPTS)
def test_a_script_is_deterministic(name: str) -> None:
    """The time and the ids are arguments.

    There are two exceptions. Leases use the clock that the script reads. The search for
    remaining dedup keys is random.
    """
    drawn = "randomkey|srandmember|spop|hrandfield|zrandmember"
    found = re.findall(rf"'(time|{drawn})'|math\.random", load(name).text, re.I)
    allowed = {"(consumers/)?records": "time", "dedup": "hrandfield", "kernel/clock": "time"}
    included = source(name)
    assert set(found) == {
        each
        for part, each in allowed.items()
        if re.search(f"include: {part}$", included, re.MULTILINE)
    }
