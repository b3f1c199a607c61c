"""`offer`, `cancel`, `reschedule`, `pause` and `resume` at a shell."""

import json
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import redis

from pyredisson import Redisson
from pyredisson.admin.times import duration_of, moment_of
from pyredisson.codecs import Kryo5Codec, StringCodec
from tests.support.server import RedisServer
from tests.support.shell import Done, shell
from tests.support.twins import until

CHANNEL = "redisson_delay_queue_channel:{q}"


@pytest.fixture
def url(server: RedisServer, raw: redis.Redis) -> str:
    raw.flushall()
    return server.url


def pending(url: str, name: str = "q", codec: str = "kryo5") -> list[object]:
    items = shell("items", name, "--codec", codec, "--json", url=url).json()["items"]
    return [each["value"] for each in items]


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90", 90), ("0.5", 0.5), ("500ms", 0.5), ("5m", 300), ("1h30m", 5400), (" 2d ", 172800)],
)
def test_durations_are_parsed(text: str, seconds: float) -> None:
    assert duration_of(text) == timedelta(seconds=seconds)


@pytest.mark.parametrize("text", ["", "5x", "-5", "5 m", "m", "1e3", "nan", "9999999999d", "5m3"])
def test_wrong_durations_are_rejected(text: str) -> None:
    with pytest.raises(ValueError, match=r"no duration|too long"):
        duration_of(text)


def test_moments_need_a_time_zone() -> None:
    assert moment_of("2026-01-31T13:00:00+01:00") == datetime(2026, 1, 31, 12, tzinfo=UTC)
    for naive in ("2026-01-31T12:00:00", "2026-01-31"):
        with pytest.raises(ValueError, match="no time zone"):
            moment_of(naive)
    for wrong in ("soon", "2026-13-01T00:00:00Z", ""):
        with pytest.raises(ValueError, match="no time:"):
            moment_of(wrong)


def test_a_value_is_json_or_text(url: str) -> None:
    assert shell("offer", "q", '{"id": 17}', "[1", "7", url=url).code == 0
    assert sorted(map(str, pending(url))) == ["7", "[1", "{'id': 17}"]
    shell("offer", "t", "7", "--text", url=url)
    assert pending(url, "t") == ["7"]
    shell("offer", "s", '{"id": 17}', "--codec", "string", url=url)
    shell("offer", "s", b"\xc3\xa9".hex(), "--codec", "bytes", "--delay", "1", url=url)
    assert pending(url, "s", "string") == ['{"id": 17}', "é"]


def test_offer_prints_a_receipt_for_one_item_and_a_count_for_several(url: str) -> None:
    at = "2031-01-31T12:00:00+01:00"
    one = shell("offer", "q", "a", "--at", at, "--json", url=url)
    receipt = one.json().pop("receipt")
    assert one.json() == {"queue": "q", "receipt": receipt, "due_at": "2031-01-31T11:00:00.000Z"}
    two = shell("offer", "q", "a", "b", "--json", url=url)
    assert two.json() == {"queue": "q", "offered": 2}
    assert shell("cancel", "q", receipt, "--json", url=url).json() == {"queue": "q", "cancelled": 1}
    assert shell("cancel", "q", receipt, url=url).code == 1


def test_a_dedup_key_is_offered_once(url: str) -> None:
    words = ("offer", "q", "a", "--delay", "1h", "--dedup", "k", "--json")
    first, second = shell(*words, url=url), shell(*words, url=url)
    assert (first.code, second.code) == (0, 1)
    assert first.json() == second.json()
    assert pending(url) == ["a"]


def test_offer_warns_if_no_transfer_task_is_subscribed(url: str, raw: redis.Redis) -> None:
    assert "`pyredisson transfer q`" in shell("offer", "q", "a", url=url).err
    with Redisson.from_url(url) as redisson:
        redisson.get_delayed_queue(redisson.get_queue("q")).size()
        until(lambda: raw.pubsub_numsub(CHANNEL)[0][1] == 1, "it transfers")
        assert shell("offer", "q", "a", url=url).err == ""


def test_output_of_items_can_be_offered_to_another_queue(url: str) -> None:
    with Redisson.from_url(url) as redisson:
        delayed = redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)
        delayed.offer_many([(each, 100 + each) for each in range(700)])
    page = shell("items", "q", "--limit", "1000", "--codec", "kryo5", "--json", url=url)
    assert shell("offer", "copy", "--file", "-", url=url, stdin=page.out).code == 0
    copy = shell("items", "copy", "--limit", "1000", "--codec", "kryo5", "--json", url=url)
    for key in ("value", "due_at", "bytes"):
        assert [e[key] for e in copy.json()["items"]] == [e[key] for e in page.json()["items"]]


def test_codec_bytes_offers_undecoded_bytes_unchanged(url: str) -> None:
    with Redisson.from_url(url) as redisson:
        redisson.get_queue("q", codec=Kryo5Codec()).add({1, 2})
    page = shell("items", "q", "--state", "ready", "--codec", "long", "--json", url=url)
    (item,) = page.json()["items"]
    lines = json.dumps(item)
    rejected = shell("offer", "copy", "--codec", "string", "--file", "-", url=url, stdin=lines)
    assert rejected.code == 2
    assert "--codec bytes" in rejected.err
    shell("offer", "copy", "--codec", "bytes", "--file", "-", url=url, stdin=lines)
    (copy,) = shell("items", "copy", "--codec", "kryo5", "--json", url=url).json()["items"]
    assert copy["bytes"] == item["bytes"]


def test_a_file_of_values_and_items(url: str, tmp_path: Path) -> None:
    file = tmp_path / "lines"
    file.write_text('1\n\n"a"\n{"value": {"value": 3}, "delay": "2h"}\n{"value": 4, "delay": 60}\n')
    done = shell("offer", "q", "--file", str(file), "--delay", "1h", "--json", url=url)
    assert done.json() == {"queue": "q", "offered": 4}
    assert pending(url) == [4, 1, "a", {"value": 3}]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "not JSON (Expecting property name enclosed in double quotes, column 2)"),
        ('{"value": 1, "currency": "EUR"}', "'currency'"),
        ('{"value": 1, "delay": "1h", "at": "2031-01-01T00:00:00Z"}', "both 'at' and 'delay'"),
        ('{"value": 1, "due_at": "2031-01-01T00:00:00"}', "no time zone"),
        ('{"value": 1, "delay": -5}', "no duration"),
        ("[" * 100_000, "line 301"),
        ("1" + "0" * 30, "does not fit a Java long"),
    ],
)
def test_a_wrong_line_names_its_number_and_what_was_offered(url: str, line: str, why: str) -> None:
    lines = "".join(f"{each}\n" for each in range(300)) + line + "\n1\n"
    done = shell("offer", "q", "--file", "-", "--json", url=url, stdin=lines)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert done.err.startswith("pyredisson: line 301: ")
    assert why in done.err
    assert "The 300 items before it are offered" in done.err
    assert shell("stats", "q", "--json", url=url).json()["queues"][0]["pending"] == 300


@pytest.mark.timeout(60)
def test_ctrl_c_offers_what_was_read(url: str) -> None:
    shell("offer", "other", "a", "b", url=url)  # loads the script into the server
    command = [sys.executable, "-m", "pyredisson", "offer", "q", "--file", "-", "--url", url]
    pipe = subprocess.PIPE
    with (
        Redisson.from_url(url) as redisson,
        subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process,
    ):
        assert process.stdin is not None
        process.stdin.write("1\n" * 300)  # then the command waits for more lines
        process.stdin.flush()
        delayed = redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)
        while delayed.size() == 0:
            assert process.poll() is None, process.communicate()
        process.send_signal(signal.SIGINT)
        assert process.stderr is not None
        err, count = process.stderr.read(), delayed.size()
        assert 0 < count <= 300
        assert f"interrupted: {count} items are offered, up to line {count}" in err
        assert process.wait() == 130


@pytest.mark.parametrize(
    "words",
    [
        ("offer", "q"),
        ("offer", "q", "a", "--file", "-"),
        ("offer", "q", "a", "b", "--dedup", "k"),
        ("offer", "q", "a", "--delay", "1", "--at", "2031-01-01T00:00:00Z"),
        ("offer", "q", "a", "--at", "2031-01-01T00:00:00"),
        ("offer", "q", "a", "--codec", "long"),
        ("offer", "q", "xyz", "--codec", "bytes"),
        ("cancel", "q"),
        ("cancel", "q", "x", "--id", "00"),
        ("cancel", "q", "x"),
        ("cancel", "q", "--id", "no"),
        ("reschedule", "q", "--id", "00"),
    ],
)
def test_wrong_arguments_print_one_line(url: str, words: tuple[str, ...]) -> None:
    done = shell(*words, "--json", url=url)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1), done.err


def offered(url: str) -> Done:
    lines = '{"a":1}\n{"a":1}\n"x"\n"x\\u001b"\ntrue\n'
    return shell("offer", "q", "--file", "-", "--delay", "1h", url=url, stdin=lines)


@pytest.mark.parametrize(
    ("value", "count"),
    [('{"a": 1}', 2), ('{"a":1}', 2), ("x", 1), (r"x\x1b", 1), ("true", 1), ("1", 0)],
)
def test_cancel_by_value(url: str, value: str, count: int) -> None:
    offered(url)
    one = shell("cancel", "q", "--value", value, "--codec", "kryo5", "--json", url=url)
    assert one.json()["cancelled"] == min(count, 1)
    rest = shell("cancel", "q", "--value", value, "--all", "--codec", "kryo5", "--json", url=url)
    assert rest.json()["cancelled"] == max(count - 1, 0)
    assert (one.code, rest.code) == (int(count < 1), int(count < 2))


def test_cancel_and_reschedule_by_id(url: str) -> None:
    with Redisson.from_url(url, release="3.19.3") as redisson:  # the old format
        queue = redisson.get_queue("q", codec=StringCodec())
        redisson.get_delayed_queue(queue, transfer=False).offer_many([("a", 50), ("b", 60)])
    items = shell("items", "q", "--json", url=url).json()["items"]
    words = ("reschedule", "q", "--id", items[0]["id"], "--at", "2031-01-01T00:00:00Z", "--json")
    due = "2031-01-01T00:00:00.000Z"
    assert shell(*words, url=url).json() == {"queue": "q", "rescheduled": 1, "due_at": due}
    assert shell("cancel", "q", "--id", items[1]["id"], url=url).code == 0
    assert [each["due_at"] for each in shell("items", "q", "--json", url=url).json()["items"]] == [
        due
    ]
    none = shell("reschedule", "q", "--id", items[1]["id"], "--delay", "1", "--json", url=url)
    assert none.code == 1
    assert none.json() == {"queue": "q", "rescheduled": 0, "due_at": None}


def test_pause_and_resume(url: str) -> None:
    for verb, paused in (("pause", True), ("pause", True), ("resume", False), ("resume", False)):
        done = shell(verb, "q", "--json", url=url)
        assert done.json() == {"queue": "q", "paused": paused}
        with Redisson.from_url(url) as redisson:
            assert redisson.get_queue("q").is_paused() is paused
