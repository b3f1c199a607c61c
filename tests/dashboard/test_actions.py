"""The actions of the dashboard, and its audit log."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Iterator
from typing import Any
from unittest.mock import patch

import pytest
import redis

from pyredisson import Redisson
from pyredisson.codecs import StringCodec
from pyredisson.dashboard import app, changes
from pyredisson.dashboard.actions import ACTIONS, Done
from tests.support.dashboards import TOKEN, Viewer, viewer


@pytest.fixture
def redisson(url: str) -> Iterator[Redisson]:
    with Redisson.from_url(url, codec=StringCodec()) as client:
        yield client


@pytest.fixture
async def page(url: str, redisson: Redisson) -> AsyncIterator[Viewer]:
    """The page of a user with a session."""
    async with viewer(app(url, actions=True, token=TOKEN, codec=StringCodec())) as page:
        await page.sign_in()
        yield page


async def test_pending_items_are_offered_cancelled_and_rescheduled(
    page: Viewer, redisson: Redisson
) -> None:
    queue = redisson.get_queue("q")
    delayed = redisson.get_delayed_queue(queue, transfer=False)
    done = await page.act("offer", "q", value="a", delay="1h")
    assert (done["done"], done["due_at"] is not None) == (1, True)
    for value in ("b", "c"):
        await page.act("offer", "q", value=value, delay=3600)
    a, b, c = (await page.get("items", name="q"))["items"]
    assert (await page.act("cancel", "q", receipt=a["receipt"]))["done"] == 1
    assert (await page.act("cancel", "q", receipt=a["receipt"]))["done"] == 0
    assert (await page.act("cancel", "q", id=b["id"]))["done"] == 1
    moved = await page.act("reschedule", "q", receipt=c["receipt"], delay="2h")
    assert [str(each.receipt) for each in delayed.items()] == [moved["receipt"]]
    assert (await page.act("reschedule", "q", receipt=a["receipt"], delay=1))["done"] == 0


async def test_a_queue_is_paused_and_resumed(page: Viewer, redisson: Redisson) -> None:
    queue = redisson.get_queue("q")
    await page.act("pause", "q")
    assert queue.is_paused()
    await page.act("resume", "q")
    assert not queue.is_paused()


async def test_a_dead_group_is_dropped_with_its_values(
    page: Viewer, redisson: Redisson, raw: redis.Redis
) -> None:
    window = redisson.get_group_window(redisson.get_blocking_queue("q"), size=1, max_wait=60)
    window.offer("k", "a")
    redisson.get_consumer(window).take().reject("broken")
    assert (await page.act("drop", "q", all=True))["done"] == 1
    assert not raw.exists("pyredisson_groups:{q}")  # its values are deleted, too


async def test_dead_letters_are_redriven_and_dropped(page: Viewer, redisson: Redisson) -> None:
    queue = redisson.get_blocking_queue("q")
    queue.add_all(list("abcde"))
    with redisson.get_consumer(queue) as consumer:
        for _ in "abcde":
            consumer.take().reject("broken")
    first, second, *_ = (await page.get("items", name="q", state="dead"))["items"]
    assert (await page.act("redrive", "q", ids=[first["id"]]))["done"] == 1
    assert queue.read_all() == [first["text"]]
    assert (await page.act("drop", "q", state="dead", ids=[second["id"], "0" * 32]))["done"] == 1
    assert (await page.act("redrive", "q", all=True))["text"] == "3 dead letters redriven"
    assert sorted(queue.read_all()) == sorted("abcde".replace(second["text"], ""))
    assert (await page.act("drop", "q", all=True))["done"] == 0


async def test_poison_is_redriven_and_dropped(page: Viewer, raw: redis.Redis) -> None:
    raw.rpush("pyredisson_poison:{q}", *(b"\xff\xfe" + bytes([each]) for each in range(5)))
    first, second, *_ = (await page.get("items", name="q", state="poison"))["items"]
    assert (await page.act("redrive", "q", state="poison", ids=[first["id"]]))["done"] == 1
    assert raw.lrange("q", 0, -1) == [b"\xff\xfe\0"]
    assert (await page.act("drop", "q", state="poison", ids=[second["id"]]))["done"] == 1
    assert raw.lrange("pyredisson_poison:{q}", 0, 0) == [b"\xff\xfe\2"]
    assert (await page.act("drop", "q", state="poison", all=True))["done"] == 3


async def test_a_repair_is_planned_and_done(
    page: Viewer, redisson: Redisson, raw: redis.Redis
) -> None:
    redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False).offer("a", delay=3600)
    raw.delete("redisson_delay_queue:{q}")
    plan = await page.act("repair", "q", dry_run=True)
    assert plan["done"] == 1
    assert "redisson_delay_queue" in plan["findings"][0]
    assert not raw.exists("redisson_delay_queue:{q}")
    assert (await page.act("repair", "q"))["done"] == 1
    assert (await page.act("repair", "q"))["text"] == "nothing to repair"


WRONG: list[tuple[str, dict[str, Any]]] = [
    ("redrive", {}),
    ("redrive", {"ids": []}),
    ("redrive", {"ids": ["nix"]}),
    ("redrive", {"ids": ["0" * 32], "all": True}),
    ("drop", {"all": True, "state": "pending"}),
    ("drop", {"all": 1}),
    ("cancel", {}),
    ("cancel", {"receipt": "receipt1.nix"}),
    ("cancel", {"id": "x"}),
    ("reschedule", {"id": "0" * 32}),
    ("reschedule", {"id": "0" * 32, "delay": "soon"}),
    ("reschedule", {"id": "0" * 32, "delay": True}),
    ("reschedule", {"id": "0" * 32, "delay": 1e300}),
    ("repair", {"dry_run": "yes"}),
    ("offer", {}),
    ("offer", {"value": {"not": "a text"}}),
    ("offer", {"value": "a", "delay": -1}),
    ("offer", {"value": "a", "dealy": 5}),
]


async def test_wrong_arguments_of_actions_are_rejected(page: Viewer) -> None:
    for action, words in WRONG:
        assert (await page.act(action, "q", 400, **words))["error"]


async def test_an_offer_needs_a_codec_that_reads_the_others(
    url: str, redisson: Redisson, raw: redis.Redis
) -> None:
    redisson.get_queue("q").add("text")
    async with viewer(app(url, actions=True, token=TOKEN)) as page:
        await page.sign_in()
        assert "Kryo5Codec" in (await page.act("offer", "q", 400, value="a"))["error"]
        assert (await page.act("offer", "new", value="a", delay="1h"))["done"] == 1
    assert raw.llen("redisson_delay_queue:{q}") == 0


async def test_each_action_is_logged(page: Viewer, capsys: pytest.CaptureFixture[str]) -> None:
    await page.act("pause", 'q\n"\x1b[31m')
    await page.act("nix", "q", 404)
    await page.sign_in("wrong", 403)
    lines = capsys.readouterr().err.splitlines()
    found = [dict(re.findall(r'(\w+)=("(?:[^"\\]|\\.)*")', each)) for each in lines[-3:]]
    done, refused, wrong = ({key: json.loads(each) for key, each in one.items()} for one in found)
    assert (done["action"], done["queue"]) == ("pause", 'q\n"\x1b[31m')
    assert done["outcome"].startswith("paused")
    assert done["from"].startswith("127.0.0.1 session ")
    assert refused["outcome"].startswith("refused: no such action")
    assert wrong["action"] == "sign-in"
    assert "wrong" not in lines[-1].partition("outcome")[0]  # the log does not contain the token
    assert "\x1b" not in "".join(lines)


async def test_a_long_action_continues_after_its_answer(
    page: Viewer, capsys: pytest.CaptureFixture[str]
) -> None:
    end = asyncio.Event()
    loop = asyncio.get_running_loop()

    def last(*_: Any) -> Done:
        asyncio.run_coroutine_threadsafe(end.wait(), loop).result(20)
        return Done(7, "7 dead letters redriven")

    with patch.dict(ACTIONS, {"redrive": last}), patch.object(changes, "_ACTING", 0.1):
        answer = await page.act("redrive", "q", 202, all=True)
        assert answer["done"] is None
        end.set()
        for _ in range(200):
            if "7 dead letters" in (shown := capsys.readouterr().err):
                break
            await asyncio.sleep(0.05)
    assert 'outcome="7 dead letters redriven"' in shown
