"""Commands that change queues, on a queue that only Java has touched, while Java waits."""

from collections.abc import Callable

import pytest
import redis

from interop.tests.conftest import Clients
from tests.support.shell import Done, shell
from tests.support.twins import PATIENCE

RELEASES = ["4.7.0", "3.19.3"]
FORMATS = {"4.7.0": "Bc0Lc0", "3.19.3": "dLc0"}


@pytest.fixture
def run(url: str) -> Callable[..., Done]:
    def run(*words: str, stdin: str = "") -> Done:
        return shell(*words, "--codec", "kryo5", "--json", url=url, stdin=stdin)

    return run


@pytest.mark.parametrize("release", RELEASES)
def test_commands_change_what_java_offered(
    java_client: Clients, run: Callable[..., Done], url: str, release: str
) -> None:
    java = java_client(release, codec="Kryo5")
    theirs = java.delayed_queue("q", codec="Kryo5")
    for number in range(4):
        theirs.call("offer", f"task-{number}", 60 + number, "MINUTES")
    theirs.call("offer", {"id": 17}, 90, "MINUTES")
    items = run("items", "q").json()["items"]
    assert [each["text"] for each in items[:4]] == [f"task-{each}" for each in range(4)]

    assert run("cancel", "q", items[0]["receipt"]).json()["cancelled"] == 1
    assert run("cancel", "q", "--id", items[1]["id"]).json()["cancelled"] == 1
    assert run("cancel", "q", "--value", '{"id":17}').json()["cancelled"] == 1
    assert theirs.call("readAll") == ["task-2", "task-3"]
    java_waits = java.blocking_queue("q", codec="Kryo5").background(
        "poll", int(PATIENCE), "SECONDS"
    )
    assert (
        run("reschedule", "q", "--value", "task-3", "--delay", "100ms").json()["rescheduled"] == 1
    )
    assert java_waits.result().value.v == "task-3"
    assert theirs.call("readAll") == ["task-2"]
    theirs.destroy()


@pytest.mark.parametrize("release", RELEASES)
def test_java_takes_what_the_shell_offers(
    java_client: Clients, run: Callable[..., Done], release: str
) -> None:
    java = java_client(release, codec="Kryo5")
    theirs, queue = java.delayed_queue("q", codec="Kryo5"), java.blocking_queue("q", codec="Kryo5")
    assert theirs.call("size") == 0  # its transfer task runs from here on
    lines = '{"value": {"id": 17, "tags": ["a"]}}\n{"value": "é", "delay": "1h"}\n7\n'
    done = run("offer", "q", "--release", release, "--file", "-", stdin=lines)
    assert done.json() == {"queue": "q", "offered": 3}
    one = run("offer", "q", "now", "--release", release, "--delay", "200ms")
    assert one.code == 0
    taken = [queue.call("poll", int(PATIENCE), "SECONDS") for _ in range(3)]
    # two items that are due in the same millisecond have no order
    assert sorted(taken, key=str) == [7, "now", {"id": 17, "tags": ["a"]}]
    assert theirs.call("readAll") == ["é"]
    assert theirs.call("remove", "é") is True
    theirs.destroy()


@pytest.mark.parametrize("release", RELEASES)
def test_take_and_decode_what_java_wrote(
    java_client: Clients, run: Callable[..., Done], raw: redis.Redis, release: str
) -> None:
    java = java_client(release, codec="Kryo5")
    theirs = java.delayed_queue("q", codec="Kryo5")
    theirs.call("offer", "later", 60, "MINUTES")
    (entry,) = raw.lrange("redisson_delay_queue:{q}", 0, -1)
    assert isinstance(entry, bytes)
    (item,) = run("items", "q").json()["items"]
    found = shell("decode", entry.hex(), "--json").json()
    assert (found["kind"], found["format"]) == ("entry", FORMATS[release])
    assert (found["id"], found["codec"], found["value"]) == (item["id"], "kryo5", "later")
    queue = java.blocking_queue("q", codec="Kryo5")
    for each in ("a", "b"):
        queue.call("offer", each)
    taken = run("take", "q", "--count", "2", "--timeout", str(PATIENCE)).json()["items"]
    assert [each["value"] for each in taken] == ["a", "b"]
    assert queue.call("size") == 0
    theirs.destroy()
