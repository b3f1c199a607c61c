"""The check of a queue: scripts stay short, and findings are added up."""

from __future__ import annotations

import pytest

from pyredisson.protocol.checks.check import CheckProtocol, chunks, format_of
from pyredisson.protocol.checks.finding import Finding, FindingKind, Findings
from pyredisson.protocol.delayed.entry import WireFormat, pack
from pyredisson.protocol.kernel.names import ConsumerNames
from pyredisson.protocol.objects.pages import Page

N = ConsumerNames.of("q")
C = CheckProtocol(N)
K = FindingKind


def test_wire_format_of_an_entry() -> None:
    assert format_of(pack(bytes(8), b"v")) is WireFormat.CURRENT
    assert format_of(pack(bytes(8), b"v", WireFormat.LEGACY)) is WireFormat.LEGACY
    assert format_of(b"bad") is None


@pytest.mark.parametrize(("listed", "size"), [(0, 100), (10_000, 19), (10**6, 1)])
def test_the_longer_the_list_the_fewer_members_a_script(listed: int, size: int) -> None:
    entries = [b"%d" % number for number in range(150)]
    parts = list(chunks(entries, listed))
    assert len(parts[0]) == size
    assert [each for part in parts for each in part] == entries


def test_long_entries_are_sent_one_by_one() -> None:
    short, long, longer = b"s" * 100, b"l" * 300_000, b"L" * 600_000
    entries = [short, long, short, long, longer, short, short]
    parts = [[short, long, short], [long], [longer], [short, short]]
    assert list(chunks(entries, 0)) == parts


def test_no_script_runs_without_entries() -> None:
    assert list(chunks([], 5)) == []


def test_all_keys_of_a_queue_are_checked() -> None:
    call = C.keys()
    own = {"resumed", "paused", "expiring", "expiries", "consumers", "window", "groups"}
    own |= {"schedule", "schedule_times", "migrating"}
    assert set(call.keys) == {
        *({*N.queue.keys(), *N.types()} - {N.queue.channel}),
        *(f"pyredisson_{each}:{{q}}" for each in own),
    }
    fleeting = {f"pyredisson_{each}:{{q}}" for each in ("paused", "resumed", "consumers", "due")}
    assert set(C.fleeting()) == fleeting
    reply = [word for _ in call.keys for word in (b"zset", -1)]
    assert call.decode(reply) == [(key, "zset", -1) for key in call.keys]


def test_scans() -> None:
    assert C.scan(N.taken, 0).args == ("HSCAN", N.taken, 0, "COUNT", 500)
    assert C.scan(N.leases, 7).args == ("ZSCAN", N.leases, 7, "COUNT", 500)
    assert C.scan(N.leases, 7).decode([b"12", [b"a", b"1", b"b", b"2"]]) == (12, [b"a", b"b"])


def test_replies() -> None:
    assert C.listed(500).args == (500, 500)
    assert C.listed(0).decode([1, [b"a", b"b"], [b"b"]]) == (Page([b"a", b"b"], more=True), [b"b"])
    assert C.listed(0).decode([0, [], []]) == (Page([], more=False), [])
    held, recurring, _ = C.pairs()
    assert C.unpaired("look", held, [b"t"]).decode([[b"t"], []]) == ([b"t"], [])
    assert C.unpaired("look", held, [b"t"]).args == ("look", 44, b"t")
    assert C.unpaired("repair", recurring, [b"n"]).args == ("repair", 1, b"n")
    assert C.size("l").args == ("LLEN", "l")
    assert C.lease_count().args == ("ZCARD", N.leases)
    assert C.ended(9, 500).args == ("ZRANGEBYSCORE", N.leases, "(1", 9, "LIMIT", 500, 500)
    assert C.arriving().args == ("LRANGE", N.arriving, 0, 499)


def test_calls_that_change_something_are_sent_once() -> None:
    changing = (C.timeout_set_only("drop", [b"m"]), C.delay_list_only(5, [b"m"]), C.poison([b"m"]))
    repairing = (C.unpaired("repair", C.pairs()[0], [b"t"]), C.groups("repair", 5, [b"t"]))
    assert not any(each.safe for each in (*changing, *repairing))


def test_the_heads_of_groups() -> None:
    heads = C.heads(7)
    assert (heads.keys, heads.args) == ((C.window.groups,), (7, 500))
    assert heads.safe
    assert heads.decode([b"12", [b"a", b"1", b"b", b"2"]]) == (12, {b"a": b"1", b"b": b"2"})


def test_findings_add_up_by_kind_and_key() -> None:
    findings = Findings("deliver")
    findings.add(K.DELAY_LIST_ONLY, "l", [])
    assert findings.all() == []
    findings.add(K.DELAY_LIST_ONLY, "l", [b"a", b"b"])
    findings.add(K.DELAY_LIST_ONLY, "l", [b"c", b"d"])
    findings.add(K.DELAY_LIST_ONLY, "other", [b"c"])
    findings.add(K.WRONG_TYPE, "q", count=1, detail="holds a string: ")
    wrong, listed, other = findings.all()
    assert (wrong.kind, wrong.count, wrong.repairable) == (K.WRONG_TYPE, 1, False)
    assert wrong.text.startswith("holds a string: ")
    assert (listed.count, listed.examples, listed.repairable) == (4, (b"a", b"b", b"c"), True)
    assert (other.key, other.count) == ("other", 1)


def test_each_kind_has_a_text_that_says_what_a_repair_does() -> None:
    def texts(findings: Findings) -> dict[FindingKind, str]:
        for kind in FindingKind:
            findings.add(kind, "k", [b"m"])
        return {each.kind: each.text for each in findings.all()}

    delivered, dropped = texts(Findings("deliver")), texts(Findings("drop"))
    assert all("repair" in text for text in delivered.values())
    differing = {kind for kind in FindingKind if delivered[kind] != dropped[kind]}
    assert differing == {K.TIMEOUT_SET_ONLY}
    assert dropped[K.TIMEOUT_SET_ONLY].endswith("drops them")


def test_a_kind_is_its_name() -> None:
    found = Finding(K.TIMEOUT_SET_ONLY, "k", 1, (), "")
    assert found.kind == "timeout_set_only"
    assert str(found.kind) == "timeout_set_only"


def test_the_policy_is_asked_of_the_queue_s_server() -> None:
    eviction = CheckProtocol(ConsumerNames.of("q")).eviction()
    assert (eviction.key, eviction.safe) == ("q", True)
