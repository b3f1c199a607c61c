"""`repair`, and `check --json`: the plan, the confirmation, and the remaining problems."""

from typing import Any

import pytest
import redis

from tests.support.shell import shell
from tests.support.state import pack, pack_old, server_ms

LIST, TIMES = "redisson_delay_queue:{q}", "redisson_delay_queue_timeout:{q}"


@pytest.fixture
def broken(url: str, raw: redis.Redis) -> str:
    """A queue with one entry only in the delay list and one only in the timeout set."""
    due = server_ms(raw) // 1 + 3_600_000
    raw.rpush(LIST, pack(b"listed"))
    raw.zadd(TIMES, {pack(b"timed"): due})
    return url


def kinds(findings: list[dict[str, Any]]) -> list[str]:
    return [each["kind"] for each in findings]


def test_repair_changes_nothing_without_yes(broken: str, raw: redis.Redis) -> None:
    done = shell("repair", "q", url=broken)
    assert done.code == 2
    assert done.out.count("would repair") == 2
    assert done.err.startswith("pyredisson: repair asks on a terminal only: give --yes")
    assert done.err.count("\n") == 1
    assert (raw.llen(LIST), raw.zcard(TIMES)) == (1, 1)
    assert shell("repair", "q", "--json", url=broken)[:2] == (2, "")


def test_repair_completes_both_entries(broken: str, raw: redis.Redis) -> None:
    done = shell("repair", "q", "--yes", "--json", url=broken)
    assert done.code == 0
    document = done.json()
    assert document["queue"] == "q"
    assert sorted(kinds(document["findings"])) == ["delay_list_only", "timeout_set_only"]
    assert document["remaining"] == []
    assert (raw.llen(LIST), raw.zcard(TIMES)) == (2, 2)
    assert shell("repair", "q", url=broken) == (0, "'q': no problems\n", "")


def test_drop_orphans_drops_entries_of_the_timeout_set(broken: str, raw: redis.Redis) -> None:
    assert shell("repair", "q", "--yes", "--drop-orphans", url=broken).code == 0
    assert raw.zrange(TIMES, 0, -1) == [pack(b"listed")]


def test_repair_exits_with_1_if_problems_remain(broken: str, raw: redis.Redis) -> None:
    raw.rpush(LIST, pack_old(b"old"))
    raw.zadd(TIMES, {pack_old(b"old"): server_ms(raw) // 1 + 3_600_000})
    done = shell("repair", "q", "--yes", "--json", url=broken)
    assert done.code == 1
    assert kinds(done.json()["remaining"]) == ["mixed_formats"]
    done = shell("repair", "q", "--json", url=broken)  # no finding can be repaired
    assert (done.code, done.json()["findings"]) == (1, [])


def test_check_as_json(broken: str, raw: redis.Redis) -> None:
    done = shell("check", "q", "--json", url=broken)
    assert done.code == 1
    assert done.json()["queue"] == "q"
    first, second = done.json()["findings"]
    assert first == {
        "kind": "timeout_set_only",
        "key": TIMES,
        "count": 1,
        "text": first["text"],
        "examples": [pack(b"timed").hex()],
        "repairable": True,
    }
    assert second["kind"] == "delay_list_only"
    assert "2 problems" in done.err
    two = shell("check", "q", "other", "--json", "--repair", url=broken)
    assert two.code == 0
    assert two.json() == {
        "queues": [{"queue": "q", "findings": []}, {"queue": "other", "findings": []}]
    }
    raw.zadd(TIMES, {pack(b"listed"): server_ms(raw) - 20_000})
    (late,) = shell("check", "q", "--json", url=broken).json()["findings"]
    assert (late["kind"], late["key"]) == ("overdue", None)
    assert shell("check", "q", "--json", "--url", "redis://127.0.0.1:1").code == 2
