"""The background kernel alone: shared jobs, listeners, and a lock's watchdog."""

import math
from functools import partial

import pytest
import redis

from pyredisson import AsyncRedisson
from pyredisson._async.background.interfaces import AsyncPeriodicJob
from pyredisson._async.background.transfer_task import AsyncTransferTask
from pyredisson._async.link.link import AsyncLink
from pyredisson._runtime.concurrency import monotonic
from pyredisson._transport.errors import reply_error
from pyredisson.protocol.objects.expirable import ExpirableProtocol
from tests._async.background.hearers import AsyncHearer
from tests.support.twins import sleep_async, start_async, until_async


class AsyncCounter(AsyncPeriodicJob):
    """Runs at an interval."""

    def __init__(self, key: str = "k", every: float = 0.01) -> None:
        self.key = key
        self.every = every
        self.runs = 0
        self._next = monotonic()

    def wait_seconds(self) -> float:
        return max(self._next - monotonic(), 0.0) if self.every < math.inf else self.every

    async def run(self, link: AsyncLink) -> None:
        self.runs += 1
        self._next = monotonic() + self.every


class AsyncHearingCounter(AsyncCounter, AsyncHearer):
    """Runs only after a published message."""

    def __init__(self) -> None:
        AsyncHearer.__init__(self, "c")
        AsyncCounter.__init__(self, every=math.inf)
        self._due = False

    def wait_seconds(self) -> float:
        return 0.0 if self._due else math.inf

    def on_message(self, channel: str, payload: bytes) -> None:
        self._due = True

    async def run(self, link: AsyncLink) -> None:
        self.runs += 1
        self._due = False


class AsyncWatchdog(AsyncPeriodicJob):
    """Extends the expiry of a key, as the watchdog of a lock does."""

    inherited = False

    def __init__(self, key: str, lease: float) -> None:
        self.key = key
        self.renewed = 0
        self._lease = lease
        self._renew_at = monotonic() + lease / 3

    def wait_seconds(self) -> float:
        return max(self._renew_at - monotonic(), 0.0)

    async def run(self, link: AsyncLink) -> None:
        self._renew_at = monotonic() + self._lease / 3
        keys = ExpirableProtocol((self.key,))
        if await link.request(keys.expire(int(self._lease * 1000), absolute=False, condition="")):
            self.renewed += 1
        else:
            self._renew_at = math.inf


# --- periodic jobs ------------------------------------------------------------------------------


async def test_a_job_runs_as_long_as_it_has_users(redisson: AsyncRedisson) -> None:
    background = redisson._context.background
    job = background.acquire("a", AsyncCounter)
    assert background.acquire("a", AsyncCounter) is job
    other = background.acquire("b", AsyncCounter)
    assert (background.users("a"), background.users("b"), background.users("c")) == (2, 1, 0)
    await until_async(lambda: job.runs > 2, "it runs")
    background.release("a")
    runs = job.runs
    await until_async(lambda: job.runs > runs + 2, "it runs on")
    background.release("a")
    await sleep_async(0.1)
    runs, others = job.runs, other.runs
    await until_async(lambda: other.runs > others + 5, "the other one runs")
    assert job.runs == runs
    background.release("a")
    assert background.acquire("a", AsyncCounter) is not job


async def test_job_with_an_infinite_wait_does_not_run(redisson: AsyncRedisson) -> None:
    """Infinity is a valid time to wait, with and without other jobs."""
    background = redisson._context.background
    job = background.acquire("a", partial(AsyncCounter, every=math.inf))
    await sleep_async(0.1)
    other = background.acquire("b", AsyncCounter)
    await until_async(lambda: other.runs > 2, "the other one runs")
    assert job.runs == 0
    job.every = 0.01
    background.plan(job)
    await until_async(lambda: job.runs > 2, "it runs")


async def test_released_jobs_leave_nothing_in_the_heap(redisson: AsyncRedisson) -> None:
    """Locks with a short hold do this: their watchdogs would run only in ten seconds."""
    background = redisson._context.background
    background.acquire("stays", partial(AsyncWatchdog, "stays", 300.0))
    for number in range(2000):
        background.acquire(number, partial(AsyncWatchdog, "k", 30.0))
        background.release(number)
    (worker,) = background._workers.values()
    assert len(worker._heap) <= 200
    assert len(background.work) == 1


async def test_a_watchdog_keeps_a_lock(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    background = redisson._context.background
    raw.set("lock", "owner", px=2000)
    key = ("lock", redisson._context.identity.owner())
    watchdog = background.acquire(key, partial(AsyncWatchdog, "lock", 2.0))
    await until_async(lambda: watchdog.renewed > 3, "it is renewed for longer than its first lease")
    assert raw.exists("lock")
    background.release(key)
    await until_async(lambda: not raw.exists("lock"), "it has expired")
    lost = background.acquire(key, partial(AsyncWatchdog, "lock", 0.01))
    await until_async(lambda: lost.wait_seconds() == math.inf, "it gives up")


async def test_a_lock_is_renewed_beside_a_job_that_does_not_end(
    url: str, raw: redis.Redis, redisson: AsyncRedisson
) -> None:
    """Slow transfers of the same server must not delay a renewal."""
    stopped = False

    class AsyncSlow(AsyncCounter):
        async def run(self, link: AsyncLink) -> None:
            await super().run(link)
            while not stopped:
                await sleep_async(0.01)

    async with AsyncRedisson.from_url(url, lock_watchdog_timeout=0.6) as other:
        slow = other._context.background.acquire("a", AsyncSlow)
        await until_async(lambda: slow.runs == 1, "it runs")
        lock = other.get_lock("lock")
        await lock.lock()
        await sleep_async(1.5)
        assert raw.exists("lock")
        assert not lock.lost
        await lock.unlock()
        stopped = True


async def test_a_job_that_fails_runs_again(
    redisson: AsyncRedisson, caplog: pytest.LogCaptureFixture
) -> None:
    class AsyncFailing(AsyncCounter):
        async def run(self, link: AsyncLink) -> None:
            await super().run(link)
            if self.runs < 4:
                raise LookupError("a mistake")

    job = redisson._context.background.acquire("a", AsyncFailing)
    await until_async(lambda: job.runs > 5, "it runs")
    said = [(record.levelname, record.msg, bool(record.exc_info)) for record in caplog.records]
    assert said == [
        ("ERROR", "%s failed, and runs again after a pause", True),
        ("WARNING", "%s works again after %.1f s", False),
    ]


async def test_a_job_that_fails_beside_one_that_works(
    redisson: AsyncRedisson, caplog: pytest.LogCaptureFixture
) -> None:
    """A success of one job does not end the failure of another. A failing job pauses."""

    class AsyncFailing(AsyncCounter):
        async def run(self, link: AsyncLink) -> None:
            self.runs += 1
            raise reply_error("WRONGTYPE it holds a list")

    background = redisson._context.background
    fails = background.acquire("a", AsyncFailing)
    works = background.acquire("b", AsyncCounter)
    await until_async(lambda: fails.runs >= 3 and works.runs > fails.runs, "both run")
    assert works.runs > fails.runs
    assert [record.levelname for record in caplog.records] == ["WARNING"]


async def test_error_in_wait_seconds_is_logged_and_stops_no_other_job(
    redisson: AsyncRedisson, raw: redis.Redis, caplog: pytest.LogCaptureFixture
) -> None:
    """The error is logged; other jobs continue on the same subscription."""

    class AsyncSilent(AsyncCounter):
        def wait_seconds(self) -> float:
            raise LookupError("a mistake")

    background = redisson._context.background
    hearer = background.acquire("hears", partial(AsyncHearer, "c"))
    await until_async(lambda: hearer.subscribed == ["c"], "it listens")
    background.acquire("a", AsyncSilent)
    works = background.acquire("b", AsyncCounter)
    await until_async(lambda: works.runs > 2, "the other one runs")
    background.ensure_running()
    assert raw.pubsub_numsub("c")[0][1] == 1
    assert {record.levelname for record in caplog.records} == {"ERROR"}


# --- listeners ----------------------------------------------------------------------------------


async def test_nothing_starts_during_a_close(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The close happens between the check for unstarted work and the start."""
    async with AsyncRedisson.from_url(url) as redisson:
        background = redisson._context.background
        monkeypatch.setattr(background, "_closing", True)
        job = background.acquire("a", AsyncCounter)  # nothing runs yet
        monkeypatch.setattr(background, "_closing", False)
        leave, closed = background._leave_to_owners, list[bool]()

        def leave_and_close() -> None:
            leave()
            background._closing = True
            closed.append(True)

        monkeypatch.setattr(background, "_leave_to_owners", leave_and_close)
        background.ensure_running()
        assert closed == [True]
        assert background._listener is None
        assert (job.runs, background._workers) == (0, {})


async def test_several_listen_to_one_channel(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    background = redisson._context.background
    first = background.acquire("first", partial(AsyncHearer, "c", "d"))
    await until_async(lambda: sorted(first.subscribed) == ["c", "d"], "it listens")
    second = background.acquire("second", partial(AsyncHearer, "c"))
    assert second.subscribed == ["c"]  # the channel is already subscribed
    assert [count for _, count in raw.pubsub_numsub("c", "d")] == [1, 1]
    raw.publish("c", "1")
    raw.publish("d", "2")
    await until_async(lambda: len(first.messages) == 2, "the first one hears")
    await until_async(lambda: len(second.messages) == 1, "the second one hears")
    background.release("first")
    await until_async(lambda: not raw.pubsub_numsub("d")[0][1], "nobody listens to it")
    raw.publish("c", "3")
    await until_async(lambda: len(second.messages) == 2, "the second one hears on")
    assert first.messages == [("c", b"1"), ("d", b"2")]
    background.release("second")
    await until_async(lambda: not raw.pubsub_numsub("c")[0][1], "nobody listens")
    again = background.acquire("first", partial(AsyncHearer, "c"))
    await until_async(lambda: again.subscribed == ["c"], "it listens again")


async def test_listener_is_notified_after_its_subscription_is_restored(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    hearer = redisson._context.background.acquire("a", partial(AsyncHearer, "c"))
    await until_async(lambda: len(hearer.subscribed) == 1, "it listens")
    raw.client_kill_filter(_type="pubsub")
    await until_async(lambda: len(hearer.subscribed) == 2, "it listens again")
    raw.publish("c", "1")
    await until_async(lambda: hearer.messages == [("c", b"1")], "it hears")


async def test_a_listener_that_fails_disturbs_no_other(
    redisson: AsyncRedisson, raw: redis.Redis, caplog: pytest.LogCaptureFixture
) -> None:
    class AsyncFailing(AsyncHearer):
        def on_message(self, channel: str, payload: bytes) -> None:
            raise ValueError("a mistake")

    background = redisson._context.background
    background.acquire("fails", partial(AsyncFailing, "c"))
    hearer = background.acquire("hears", partial(AsyncHearer, "c", "d"))
    await until_async(lambda: len(hearer.subscribed) == 2, "it listens")
    raw.publish("c", "1")
    raw.publish("d", "2")
    await until_async(lambda: len(hearer.messages) == 2, "it hears both")
    assert len(hearer.subscribed) == 2, "the subscription was never lost"
    assert [record.msg for record in caplog.records] == ["a listener of channel %r failed"]


async def test_message_that_is_no_time_wakes_the_transfer_task(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    """The subscription stays, and the transfer task polls."""
    delayed = redisson.get_delayed_queue(redisson.get_queue("q"))
    hearer = redisson._context.background.acquire("a", partial(AsyncHearer, "c"))
    await until_async(lambda: hearer.subscribed == ["c"], "it listens")
    (task,) = [each for each in redisson._context.background.work.values() if each is not hearer]
    assert isinstance(task, AsyncTransferTask)
    for payload in ("9" * 400, "-5", "1.5", "", "\u0663", "1" * 17):
        runs = task.runs
        raw.publish("redisson_delay_queue_channel:{q}", payload)
        await until_async(lambda: task.runs > runs, "it looks")  # noqa: B023 - called here
    assert hearer.subscribed == ["c"]
    delayed.destroy()


async def test_many_listeners_of_one_channel_leave(redisson: AsyncRedisson) -> None:
    background = redisson._context.background
    for number in range(2000):
        background.acquire(number, partial(AsyncHearer, "c"))
    for number in range(2000):
        background.release(number)
    assert not background._subscriptions._ordinary


async def test_job_that_listens_runs_after_each_message(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    """Each message plans its next run."""
    both = redisson._context.background.acquire("a", AsyncHearingCounter)
    await until_async(lambda: both.subscribed == ["c"], "it listens")
    for number in range(1, 4):
        raw.publish("c", "run")
        await until_async(lambda: both.runs == number, "it runs")  # noqa: B023 - called here


# --- owners of locks ----------------------------------------------------------------------------


async def test_an_owner_is_a_client_and_a_task_or_thread(url: str, redisson: AsyncRedisson) -> None:
    async def owner() -> str:
        return redisson._context.identity.owner()

    here = await owner()
    assert here == await owner()
    started = [start_async(owner) for _ in range(20)]
    others = [await each.result() for each in started]
    assert len({here, *others}) == 21
    client_id = redisson._context.identity.client_id
    assert len(client_id) == 36
    made = {redisson._context.identity.new_owner() for _ in range(20)}
    assert len({here, *others, *made}) == 41
    assert {each.rpartition(":")[0] for each in (here, *others, *made)} == {client_id}
    async with AsyncRedisson.from_url(url) as another:
        assert another._context.identity.client_id != client_id


async def test_job_that_opens_connections_does_not_count_as_frozen(redisson: AsyncRedisson) -> None:
    """While servers are down, a run includes all its attempts; it does not count as frozen."""
    background = redisson._context.background
    found: list[float] = []

    class Connecting(AsyncPeriodicJob):
        key = "q"

        def wait_seconds(self) -> float:
            return 60.0 if found else 0.0

        async def run(self, link: AsyncLink) -> None:
            server = await link.topology.server(self.key)
            for _ in range(30):
                await sleep_async(0.05)
                await (await server.connect()).close()
            found.append(background.late)

    background.acquire("connecting", Connecting)
    await until_async(lambda: bool(found), "it has run")
    assert found[0] < 1
    background.release("connecting")
