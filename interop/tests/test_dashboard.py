"""The dashboard of a queue that only Java has touched, in both formats of entries."""

import pytest

from interop.tests.conftest import Clients
from pyredisson.dashboard import app
from tests.support.dashboards import TOKEN, viewer


@pytest.mark.parametrize("release", ["4.7.0", "3.19.3"])
async def test_dashboard_shows_a_queue_of_java(
    java_client: Clients, url: str, release: str
) -> None:
    java = java_client(release, codec="Kryo5")
    theirs = java.delayed_queue("q", codec="Kryo5")
    for number in range(3):
        theirs.call("offer", f"task-{number}", 60 + number, "MINUTES")
    java.blocking_queue("q", codec="Kryo5").call("add", {"id": 17})
    async with viewer(app(url, actions=True, token=TOKEN)) as page:
        await page.sign_in()
        (row,) = (await page.get("overview"))["queues"]
        assert (row["pending"], row["ready"], row["subscribers"], row["trouble"]) == (3, 1, 1, 0)
        shown = await page.get("queue", name="q")
        assert shown["codec"] == "kryo5"
        assert sum(each["count"] for each in shown["chart"]) == 3
        assert (await page.get("findings", name="q"))["findings"] == []
        (ready,) = (await page.get("items", name="q", state="ready"))["items"]
        assert ready["value"] == {"id": 17}
        found = (await page.get("items", name="q", search="TASK-"))["items"]
        assert [each["text"] for each in found] == ["task-0", "task-1", "task-2"]
        assert (await page.act("cancel", "q", receipt=found[0]["receipt"]))["done"] == 1
        assert (await page.act("cancel", "q", id=found[1]["id"]))["done"] == 1
        assert theirs.call("readAll") == ["task-2"]
        java.blocking_queue("q", codec="Kryo5").call("clear")
        moved = await page.act("reschedule", "q", receipt=found[2]["receipt"], delay=0)
        assert moved["done"] == 1
        waiting = java.blocking_queue("q", codec="Kryo5").background("poll", 30, "SECONDS")
        assert waiting.result().value.v == "task-2"
    theirs.destroy()
