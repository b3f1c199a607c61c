"""Schedules while clocks are wrong or step, or while the server is down."""

import time
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from pyredisson import AsyncRedisson
from pyredisson._async.background.schedule_job import AsyncScheduleJob
from pyredisson.codecs import StringCodec
from tests.support.clock import SteppedServer
from tests.support.server import RedisServer
from tests.support.state import server_ms, unpack
from tests.support.twins import until_async

SET, TIMES = "redisson_delay_queue_timeout:{q}", "pyredisson_schedule_times:{q}"
HOUR = timedelta(hours=1)
HOUR_MS = 3_600_000


def schedule(redisson: AsyncRedisson, *, advance: bool = True) -> Any:
    queue = redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)
    return redisson.get_schedule(queue, advance=advance)


def client(server: RedisServer, **options: Any) -> AsyncRedisson:
    return AsyncRedisson.from_url(server.url, codec=StringCodec(), **options)


@pytest.mark.parametrize("wrong", [-86_400.0, 86_400.0], ids=["behind", "ahead"])
async def test_schedule_ignores_the_wrong_clock_of_the_process(
    server: RedisServer, raw: Any, monkeypatch: pytest.MonkeyPatch, wrong: float
) -> None:
    """The clock is a day wrong, but each occurrence is offered once, by the server's clock."""
    seconds = time.time
    monkeypatch.setattr(time, "time", lambda: seconds() + wrong)
    before = server_ms(raw)
    now = datetime.fromtimestamp(before / 1000, UTC)
    month = (now.month + 1) % 12 + 1  # the month after the next cannot begin during the test
    begins = datetime(now.year + (month < now.month), month, 1, tzinfo=UTC)
    async with client(server) as redisson:
        await schedule(redisson).add("monthly", "month", cron=f"0 0 1 {month} *")
        await schedule(redisson).add("ping", "ping", every=0.1, missed="all")
        await until_async(lambda: raw.zcard(SET) >= 5, "it recurs")
    times = [(unpack(each), due) for each, due in raw.zrange(SET, 0, -1, withscores=True)]
    first, *pings = [due for value, due in times if value == b"ping"]
    assert 100 <= first - before < 60_000
    assert pings == [first + 100 * (n + 1) for n in range(len(pings))]
    (due,) = [due for value, due in times if value == b"month"]
    assert datetime.fromtimestamp(due / 1000, UTC) == begins


async def test_schedule_survives_steps_of_the_servers_clock() -> None:
    """A step forward makes occurrences missed; a step back does not repeat offers."""
    raw: Any
    with SteppedServer() as server, server.client() as raw:
        async with client(server) as redisson:
            start = datetime.fromtimestamp(server_ms(raw) // 1000 + 1800, UTC)
            for name in ("skip", "once", "all"):
                missed: Any = name
                await schedule(redisson, advance=False).add(
                    name, name, every=HOUR, start=start, missed=missed
                )
        server.step(4 * 3600)
        async with client(server) as redisson:
            schedule(redisson)
            due = start.timestamp() * 1000 + 4 * HOUR_MS
            await until_async(lambda: raw.zcount(TIMES, due, due) == 3, "they go on")
            count = raw.zcard(SET)
            assert count == (1 + 0 + 1) + (1 + 1 + 1) + (1 + 3 + 1)  # pending, missed, next
            server.step(0)
        async with client(server) as redisson:
            recurring = schedule(redisson)
            for name in ("skip", "once", "all"):
                words: Any = name
                entry = await recurring.add(name, name, every=HOUR, start=start, missed=words)
                assert entry.next_at == start + 4 * HOUR
            assert raw.zcard(SET) == count


async def test_occurrences_of_an_outage_are_offered_as_missed(own_server: RedisServer) -> None:
    """All occurrences are stored afterwards; those of the outage as missed ones."""
    async with client(own_server, response_timeout=1) as redisson:
        await schedule(redisson).add("ping", "v", every=0.1, missed="all")
        with own_server.client() as before:
            first = before.zrange(SET, 0, 0, withscores=True)[0][1]
        own_server.kill()
        own_server.start()
        with own_server.client() as raw:
            seen = raw.zcard(SET)
            await until_async(lambda: raw.zcard(SET) > seen + 3, "it recurs again")
            times = sorted(score for _, score in raw.zrange(SET, 0, -1, withscores=True))
            assert times == [first + 100 * n for n in range(len(times))]


async def test_schedule_job_pauses_between_attempts_in_an_outage(
    own_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This is also true if an occurrence is due and the client must ask for the clock first."""
    looks: list[float] = []
    skipped = AsyncScheduleJob.skipped

    def counted(job: AsyncScheduleJob) -> None:
        looks.append(time.monotonic())
        skipped(job)

    monkeypatch.setattr(AsyncScheduleJob, "skipped", counted)
    async with client(own_server, response_timeout=1) as redisson:
        await schedule(redisson).add("ping", "v", every=0.1)
        own_server.kill()
        server = redisson._context.link.topology.known("q")
        assert server is not None
        server.clock.invalidate()
        await until_async(lambda: len(looks) >= 5, "it looks again")
        assert looks[4] - looks[0] >= 0.05 + 0.1 + 0.2 + 0.4
