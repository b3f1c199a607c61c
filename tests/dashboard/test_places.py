"""The dashboard with each kind of client, under a prefix, and without an answer of Redis."""

import asyncio
import re
import time
from pathlib import Path
from typing import Any

import pytest
import redis
from starlette.applications import Starlette

from pyredisson import AsyncRedisson, Redisson
from pyredisson._transport.connections import AsyncRedis, AsyncRedisCluster, RedisCluster
from pyredisson.admin.items import STATES
from pyredisson.codecs import StringCodec
from pyredisson.dashboard import app
from tests.support.dashboards import TOKEN, Viewer, viewer
from tests.support.server import RedisServer
from tests.support.topology import RedisCluster as Nodes
from tests.support.topology import SentinelGroup

PAGE = Path(__file__).resolve().parents[2] / "docs" / "dashboard.md"


async def shows(shown: Any, name: str = "q") -> None:
    async with viewer(shown) as page:
        await page.sign_in()
        assert (await page.act("offer", name, value="a", delay="1h"))["done"] == 1
        (row,) = (await page.get("overview"))["queues"]
        assert (row["name"], row["pending"], row["subscribers"]) == (name, 1, 0)
        bars = (await page.get("queue", name=name))["chart"]
        assert sum(each["count"] for each in bars) == 1
        (item,) = (await page.get("items", name=name))["items"]
        assert item["text"] == "a"
        assert (await page.get("findings", name=name))["findings"]
        assert (await page.act("cancel", name, receipt=item["receipt"]))["done"] == 1


async def answers_again(page: Viewer) -> None:
    for _ in range(200):
        if (await page.http.get("api/overview")).status_code == 200:
            return
        await asyncio.sleep(0.1)
    raise AssertionError("it does not answer again")


async def test_the_dashboard_of_an_asyncio_client(url: str) -> None:
    async with AsyncRedisson.from_url(url, codec=StringCodec()) as redisson:
        await shows(app(redisson, actions=True, token=TOKEN))


@pytest.mark.parametrize("is_async", [True, False])
async def test_the_dashboard_of_a_cluster(cluster: Nodes, is_async: bool) -> None:
    with cluster.client() as raw:
        raw.flushall()
    if is_async:
        client = AsyncRedisson(AsyncRedisCluster.from_url(cluster.url), codec=StringCodec())
        async with client as redisson:
            await shows(app(redisson, actions=True, token=TOKEN))
    else:
        with Redisson(RedisCluster.from_url(cluster.url), codec=StringCodec()) as redisson:
            await shows(app(redisson, actions=True, token=TOKEN))


async def test_a_stopped_cluster_node_hides_only_its_own_counts(partial: Nodes) -> None:
    with partial.client() as raw:
        raw.flushall()
        for number in range(9):
            raw.zadd(f"redisson_delay_queue_timeout:{{q{number}}}", {"a": 1})
    with Redisson(RedisCluster.from_url(partial.url)) as redisson:
        async with viewer(app(redisson)) as page:
            before = await page.get("overview")
            assert {each["pending"] for each in before["queues"]} == {1}
            partial.servers[1].stop()
            try:
                for _ in range(100):
                    found = await page.get("overview")
                    if found["at"] != before["at"]:
                        break
                    await asyncio.sleep(0.1)
            finally:
                partial.servers[1].start()
    counts = [each["pending"] for each in found["queues"]]
    assert len(counts) == 9
    assert {*counts} == {1, None}
    assert found["queues"][0]["trouble"] == 3


async def test_the_dashboard_behind_sentinel(sentinels: SentinelGroup) -> None:
    make: Any = redis.asyncio.sentinel.Sentinel
    manager = make(sentinels.addresses)
    client: AsyncRedis = manager.master_for(sentinels.service_name)
    async with AsyncRedisson(client, codec=StringCodec()) as redisson:
        await shows(app(redisson, actions=True, token=TOKEN))


async def test_a_user_with_read_permissions_sees_all_and_changes_nothing(
    own_server: RedisServer,
) -> None:
    (words,) = re.findall(r"^ACL (SETUSER viewer .*)$", PAGE.read_text("utf-8"), re.MULTILINE)
    own_server.run("ACL", *words.split())
    with Redisson.from_url(own_server.url, codec=StringCodec()) as redisson:
        queue = redisson.get_queue("q")
        delayed = redisson.get_delayed_queue(queue, transfer=False)
        redisson.get_schedule(delayed).add("often", "a", every=60)
        redisson.get_group_window(queue, size=3, max_wait=60).offer("key", "b")
    url = own_server.url.replace("redis://", "redis://viewer:PASSWORD@")
    async with viewer(app(url, actions=True, token=TOKEN, codec=StringCodec())) as page:
        await page.sign_in()
        assert (await page.get("overview"))["server"] == own_server.url
        found = await page.get("queue", name="q")
        assert (found["parts"], len(found["schedules"]), len(found["windows"])) == ({}, 1, 1)
        for state in STATES:
            await page.get("items", name="q", state=state)
        kinds = {each["kind"] for each in (await page.get("findings", name="q"))["findings"]}
        assert kinds <= {"no-transfer", "acl"}
        assert "permission" in (await page.act("pause", "q", 409))["error"]
        assert "+zadd" in (await page.act("offer", "q", 409, value="c"))["error"]


async def test_the_dashboard_under_a_prefix(url: str) -> None:
    service = Starlette()
    shown = app(url, token=TOKEN)
    service.mount("/ops/queues", shown)
    try:
        async with viewer(service, base="http://localhost/ops/queues/") as page:
            assert (await page.http.get("")).status_code == 200
            bare = await page.http.get("http://localhost/ops/queues", follow_redirects=True)
            assert str(bare.url) == "http://localhost/ops/queues/"
            await page.sign_in()
            (cookie,) = page.http.cookies.jar
            assert cookie.path == "/ops/queues/"
            await page.get("overview")
    finally:
        shown.close()


async def test_requests_fail_in_time_while_redis_is_frozen(own_server: RedisServer) -> None:
    async with viewer(app(own_server.url, actions=True, token=TOKEN)) as page:
        await page.sign_in()
        await page.act("offer", "q", value="a", delay="1h")
        await page.get("overview")
        own_server.pause()
        try:
            start = time.monotonic()
            words = {"name": "q"}
            asked = [page.get(path, 503, **words) for path in ("items", "queue") for _ in range(10)]
            answers = await asyncio.gather(*asked)
            late = time.monotonic() - start
            assert late < 8
            errors = [each["error"] for each in answers]
            assert len(errors) == 20
            assert all("check Redis" in each for each in errors)
        finally:
            own_server.resume()
        await answers_again(page)


async def test_the_dashboard_waits_for_redis_to_start(own_server: RedisServer) -> None:
    own_server.stop()
    async with viewer(app(own_server.url)) as page:
        assert own_server.url in (await page.get("overview", 503))["error"]
        own_server.start()
        await answers_again(page)


async def test_a_closed_dashboard_answers_with_an_error(url: str) -> None:
    shown = app(url)
    async with viewer(shown) as page:
        await page.get("queue", name="q")
        shown.close()
        for path in ("overview", "queue", "findings"):
            assert "closed" in (await page.get(path, 503, name="q"))["error"]
