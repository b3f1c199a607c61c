"""`poison`: shows, requeues and drops entries; the codec decides which can be requeued."""

from __future__ import annotations

import pytest
import redis

from tests.support.shell import shell

KEY = "pyredisson_poison:{q}"
BAD = b"\xff\xfe\x00"


def test_list_shows_poison_in_pages(url: str, raw: redis.Redis) -> None:
    raw.rpush(KEY, BAD, "fine", "more")
    words = ("poison", "q", "list", "--codec", "string")
    document = shell(*words, "--limit", "2", "--json", url=url).json()
    bad, fine = document["items"]
    assert (bad["bytes"], bad["value"], "error" in bad) == (BAD.hex(), None, True)
    assert fine["value"] == "fine"
    assert "more" in shell(*words, "--after", document["next"], url=url).out
    assert BAD.hex() in shell(*words, url=url).out


def test_requeue_skips_entries_that_the_codec_cannot_decode(url: str, raw: redis.Redis) -> None:
    raw.rpush("q", "first")
    raw.rpush(KEY, *(BAD if n % 3 == 0 else str(n) for n in range(20)))
    fine = [b"%d" % n for n in range(20) if n % 3]
    done = shell("poison", "q", "requeue", "--all", "--yes", "--codec", "string", "--json", url=url)
    assert (done.code, done.json()) == (0, {"queue": "q", "requeued": len(fine)})
    assert raw.lrange("q", 0, -1) == [*fine, b"first"]
    assert raw.lrange(KEY, 0, -1) == [BAD] * 7
    for choice in (("--all", "--yes"), ("--limit", "3"), ("--value", BAD.hex())):
        none = shell("poison", "q", "requeue", *choice, "--codec", "string", url=url)
        assert (none.code, "that this codec can decode" in none.out) == (1, True)
    words = ("poison", "q", "requeue", "--codec", "string", "--include-undecodable", "--json")
    assert shell(*words, "--value", BAD.hex(), url=url).json()["requeued"] == 1
    assert shell(*words, "--limit", "2", url=url).json()["requeued"] == 2
    assert shell("poison", "q", "requeue", "--all", "--yes", url=url).code == 0
    assert raw.llen(KEY) == 0
    assert raw.llen("q") == 21


def test_drop_by_value_limit_and_all(url: str, raw: redis.Redis) -> None:
    raw.rpush(KEY, "a", "b", "c", "d")
    for choice, left in (
        (("--value", b"b".hex()), [b"a", b"c", b"d"]),
        (("--limit", "1"), [b"c", b"d"]),
        (("--all", "--yes"), []),
    ):
        done = shell("poison", "q", "drop", *choice, "--json", url=url)
        assert (done.code, done.json()["queue"]) == (0, "q")
        assert raw.lrange(KEY, 0, -1) == left
    assert shell("poison", "q", "drop", "--all", "--yes", url=url).code == 1


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("drop",), "choose what to drop"),
        (("requeue", "--limit", "1", "--all", "--yes"), "choose what to requeue"),
        (("requeue", "--all"), "--all asks on a terminal only"),
        (("drop", "--value", "xyz"), "is not hex"),
        (("drop", "--all", "--include-undecodable"), "`drop` has no --include-undecodable"),
    ],
)
def test_wrong_arguments_change_nothing(
    url: str, raw: redis.Redis, words: tuple[str, ...], text: str
) -> None:
    raw.rpush(KEY, "a")
    done = shell("poison", "q", *words, url=url)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert text in done.err
    assert raw.llen(KEY) == 1
