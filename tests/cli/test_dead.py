"""`dead`: shows, redrives and drops dead letters, also while their number changes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any
from unittest.mock import patch

import pytest
import redis

from pyredisson import Redisson
from pyredisson.admin import dead
from pyredisson.codecs import StringCodec
from tests._sync.objects.test_long_values import ORDERS, fill_dead
from tests.support.server import RedisServer
from tests.support.shell import shell
from tests.support.terminal import on_terminal

DEAD, LETTERS = "pyredisson_dead:{q}", "pyredisson_dead_letters:{q}"


@pytest.fixture
def redisson(server: RedisServer) -> Iterator[Redisson]:
    with Redisson.from_url(server.url, codec=StringCodec()) as redisson:
        yield redisson


def fail(redisson: Redisson, *reasons: str) -> None:
    """Make a dead letter for each reason, in this order, with the values v0, v1 and so on."""
    queue = redisson.get_blocking_queue("q")
    queue.add_all([f"v{n}" for n in range(len(reasons))])
    with redisson.get_consumer(queue) as consumer:
        for reason in reasons:
            message = consumer.take()
            assert message.reject(reason)
            time.sleep(0.002)  # letters of the same millisecond have no order


def texts(url: str, *words: str) -> list[str]:
    return [
        each["text"]
        for each in shell("dead", "q", "list", "--json", *words, url=url).json()["letters"]
    ]


def test_list_and_show(server: RedisServer, redisson: Redisson) -> None:
    fail(redisson, "timeout of \x1b[31mred", "refused", "timeout again")
    first = shell("dead", "q", "list", "--limit", "2", "--json", url=server.url).json()
    assert [each["text"] for each in first["letters"]] == ["v0", "v1"]
    assert set(first["letters"][0]) == {
        "id", "value", "text", "reason", "attempts", "failed_at", "traceback",
    }  # fmt: skip
    assert texts(server.url, "--after", first["next"]) == ["v2"]
    page = shell(
        "dead", "q", "list", "--reason", "timeout", "--limit", "1", "--json", url=server.url
    )
    assert texts(server.url, "--reason", "timeout", "--after", page.json()["next"]) == ["v2"]
    item = first["letters"][0]["id"]
    shown = shell("dead", "q", "show", item, url=server.url)
    assert shown.code == 0
    assert f"id: {item}" in shown.out
    assert "\x1b" not in shown.out
    assert "\\x1b[31mred" in shown.out
    as_json = shell("dead", "q", "show", item, "--json", url=server.url).json()
    assert as_json == {"queue": "q", "letters": first["letters"][:1], "next": None}


def test_a_traceback_is_shown_in_its_lines(server: RedisServer, redisson: Redisson) -> None:
    queue = redisson.get_blocking_queue("q")
    queue.add("v")
    with redisson.get_consumer(queue) as consumer:
        assert consumer.take().reject("broken", traceback="first\n  second \x1b[2J")
    (letter,) = redisson.get_dead_letters(queue)
    out = shell("dead", "q", "show", letter.id, url=server.url).out
    assert "\nfirst\n  second \\x1b[2J\n" in out


@pytest.mark.parametrize("words", [("dead", "q", "list"), ("items", "q", "--state", "dead")])
def test_pages_while_letters_are_dropped(
    server: RedisServer, redisson: Redisson, words: tuple[str, ...]
) -> None:
    """No page misses a letter, although the letters of the pages before are dropped."""
    fail(redisson, *["bad"] * 10)
    letters = redisson.get_dead_letters(redisson.get_queue("q"))
    shown, after = list[str](), tuple[str, ...]()
    while True:
        page = shell(*words, "--limit", "3", "--json", *after, url=server.url).json()
        found = page.get("letters") or page.get("items")
        shown += [each["text"] for each in found]
        if page["next"] is None:
            break
        for each in found:
            assert letters.drop(id=each["id"]) == 1
        after = ("--after", page["next"])
    assert shown == [f"v{n}" for n in range(10)]


@pytest.mark.parametrize(("action", "result"), [("redrive", "redriven"), ("drop", "dropped")])
def test_redrive_and_drop_by_reason_limit_id_and_all(
    server: RedisServer, redisson: Redisson, action: str, result: str
) -> None:
    fail(redisson, "a", "timeout 1", "b", "timeout 2", "timeout 3")
    letters = redisson.get_dead_letters(redisson.get_queue("q"))

    def settle(*words: str) -> Any:
        done = shell("dead", "q", action, *words, "--json", url=server.url)
        return done.code, done.json()

    assert settle("--reason", "timeout", "--limit", "2") == (0, {"queue": "q", result: 2})
    assert [each.value for each in letters] == ["v0", "v2", "v4"]
    item = next(iter(letters)).id
    assert settle("--id", item) == (0, {"queue": "q", result: 1})
    assert settle("--id", item) == (1, {"queue": "q", result: 0})
    assert settle("--limit", "1") == (0, {"queue": "q", result: 1})
    assert settle("--all", "--yes") == (0, {"queue": "q", result: 1})
    moved = ["v1", "v3", "v0", "v2", "v4"] if action == "redrive" else []
    assert redisson.get_queue("q").read_all() == moved


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("redrive",), "choose what to redrive: --id, --reason, --limit or --all"),
        (("drop",), "choose what to drop"),
        (("drop", "--all"), "--all asks on a terminal only: give --yes as well"),
        (("drop", "--all", "--limit", "1"), "give either --all or --limit"),
        (("drop", "--id", "00", "--all", "--yes"), "give either --id or --all"),
        (("drop", "--id", "rubbish"), "id must be a DeadLetter.id"),
        (("show",), "`show` needs the ID of one letter"),
        (("show", "rubbish"), "an id has 32 hex digits"),
        (("list", "--all"), "`list` has no --all"),
        (("list", "--after", "x"), "not a cursor"),
    ],
)
def test_wrong_arguments_change_nothing(
    server: RedisServer, redisson: Redisson, words: tuple[str, ...], text: str
) -> None:
    fail(redisson, "a")
    done = shell("dead", "q", *words, url=server.url)
    assert (done.code, done.out) == (2, "")
    assert text in done.err
    assert done.err.count("\n") == 1
    assert redisson.get_dead_letters(redisson.get_queue("q")).size() == 1


def test_exit_code_is_1_without_a_matching_letter(url: str) -> None:
    for words in (
        ("list",),
        ("show", "00" * 16),
        ("drop", "--all", "--yes"),
        ("redrive", "--reason", "x"),
    ):
        done = shell("dead", "q", *words, url=url)
        assert (done.code, done.err) == (1, ""), words


def test_all_asks_on_a_terminal(server: RedisServer, redisson: Redisson) -> None:
    fail(redisson, "a", "b")
    letters = redisson.get_dead_letters(redisson.get_queue("q"))
    for answer, code, left in (("n", 1, 2), ("y", 0, 0)):
        with on_terminal("dead", "q", "drop", "--all", PYREDISSON_URL=server.url) as terminal:
            terminal.read_until("Drop all dead letters of 'q' for good?")
            terminal.type(f"{answer}\n")
            assert terminal.end() == code
        assert letters.size() == left


@pytest.mark.parametrize("every", [1, 2, 3])
def test_redrive_by_reason_while_letters_are_added_and_dropped(
    server: RedisServer, redisson: Redisson, raw: redis.Redis, every: int
) -> None:
    """Each letter with the reason moves once; letters that are made after the start stay."""
    fail(redisson, *("wanted" if n % every == 0 else "other" for n in range(60)))
    wanted = [f"v{n}" for n in range(0, 60, every)]
    letters = redisson.get_dead_letters(redisson.get_queue("q"))
    rounds = 0

    def pages(*words: Any, real: Callable[..., Any] = dead._pages) -> Iterator[Any]:
        nonlocal rounds
        for page in real(*words):
            yield page
            rounds += 1
            assert rounds < 100
            gone = next((each for each in letters if each.reason == "other"), None)
            if gone is not None:  # another client drops a letter, and a message fails
                letters.drop(id=gone.id)
            fail_late(raw, rounds)

    with patch.object(dead, "PAGE", 7), patch.object(dead, "_pages", pages):
        moved = dead.settle_by_reason(redisson, "q", "wanted", "redrive")
    assert moved == len(wanted)
    assert redisson.get_queue("q").read_all() == wanted
    assert {each.reason for each in letters} <= {"other", "wanted late"}


def fail_late(raw: redis.Redis, number: int) -> None:
    """Copy the first letter; the copy failed a minute later, and its reason matches."""
    first = raw.zrange(DEAD, 0, 0, withscores=True)
    letter = raw.hget(LETTERS, first[0][0]) if first else None
    if isinstance(letter, bytes):
        size = int.from_bytes(letter[:4], "big")
        why = b'{"reason": "wanted late"}'
        late = number.to_bytes(16, "big")
        raw.hset(LETTERS, late, len(why).to_bytes(4, "big") + why + letter[4 + size :])
        raw.zadd(DEAD, {late: raw.time()[0] * 1000 + 60_000})


def test_incomplete_letters_do_not_block_a_drop_by_reason(
    server: RedisServer, redisson: Redisson, raw: redis.Redis
) -> None:
    fail(redisson, *["lost"] * 20, *["wanted"] * 20)
    for each in redisson.get_dead_letters(redisson.get_queue("q")).read_all():
        if each.reason == "lost":
            raw.hdel(LETTERS, bytes.fromhex(each.id))
    with patch.object(dead, "PAGE", 7):
        assert dead.settle_by_reason(redisson, "q", "wanted", "drop") == 20
    assert raw.hlen(LETTERS) == 0


@pytest.mark.parametrize("choice", ["--all", "--reason", "--id"])
@pytest.mark.parametrize("action", ["drop", "redrive"])
def test_redrive_and_drop_of_letters_of_a_group_window(
    server: RedisServer, raw: redis.Redis, redisson: Redisson, action: str, choice: str
) -> None:
    """When a group is dropped, its values are deleted, too; when it is redriven, they are kept."""
    queue = redisson.get_blocking_queue("q")
    window = redisson.get_group_window(queue, size=3, max_wait=60)
    for value in "abc":
        window.offer("k", value)
    consumer = redisson.get_consumer(window)
    consumer.take().reject("broken")
    (letter,) = redisson.get_dead_letters(window)
    words = {"--all": ["--yes"], "--reason": ["broken"], "--id": [letter.id]}
    done = shell("dead", "q", action, choice, *words[choice], "--json", url=server.url)
    assert (done.code, list(done.json().values())[1]) == (0, 1)
    if action == "drop":
        assert not raw.exists("pyredisson_groups:{q}")
        assert redisson.get_delayed_queue(queue, transfer=False).check() == []
    else:
        assert consumer.take().value.values == list("abc")


def test_redrive_by_reason_with_long_values(redisson: Redisson, raw: redis.Redis) -> None:
    values = ORDERS["mixed"]
    fill_dead(raw, values)
    assert dead.settle_by_reason(redisson, "q", "bad", "redrive", 50) == 50
    assert dead.settle_by_reason(redisson, "q", "bad", "redrive") == 10
    assert redisson.get_queue("q").read_all() == values
