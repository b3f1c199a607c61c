"""Bridges to Celery, dramatiq, RQ and taskiq hand messages over once, again, later or never."""

import asyncio
import json
import logging
import re
from collections.abc import Callable, Iterator
from typing import Annotated, Any, NamedTuple

import pytest

pytest.importorskip("celery")

import celery
import dramatiq
import dramatiq.brokers.redis
import kombu.exceptions
import redis
import rq
import taskiq
from rq.serializers import JSONSerializer

from pyredisson import Defer, Message, Redisson, Worker, WorkerStats
from pyredisson.codecs import JsonJacksonCodec
from pyredisson.integrations import celery as for_celery
from pyredisson.integrations import dramatiq as for_dramatiq
from pyredisson.integrations import rq as for_rq
from pyredisson.integrations import taskiq as for_taskiq
from pyredisson.integrations.handing_over import HandOver
from tests.support.twins import until_async

CLOSED = "redis://127.0.0.1:1/0"
Handler = Callable[[Any], Any]


def cancel(order: str, *_: int) -> str:
    """Cancel an order."""
    return f"cancelled {order}"


class Bridge(NamedTuple):
    """A handler, and functions that read what its task queue has received."""

    make: Callable[..., Handler]
    """Makes the handler for a URL and options."""
    ids: Callable[[redis.Redis], list[str]]
    """Returns the ids of the tasks that wait."""
    args: Callable[[redis.Redis], list[Any]]
    """Returns the arguments of these tasks."""
    repeats: int
    """How many tasks a message makes if it is handed over twice."""
    wrong: type[Exception]
    """The error for a value that it cannot encode."""


def of_celery(url: str, **options: Any) -> Handler:
    app = celery.Celery(broker=url)
    app.conf.broker_transport_options = {"connect_retries_timeout": 0.1}
    return for_celery.hand_over_to(app.task(cancel, name="cancel"), **options)


def of_dramatiq(url: str, **options: Any) -> Handler:
    make: Callable[..., dramatiq.Broker] = dramatiq.brokers.redis.RedisBroker
    actor = dramatiq.actor(broker=make(url=url, middleware=[]))(cancel)
    return for_dramatiq.hand_over_to(actor, **options)


def of_rq(url: str, **options: Any) -> Handler:
    queue = rq.Queue(connection=redis.Redis.from_url(url), serializer=JSONSerializer)
    return for_rq.hand_over_to(queue, cancel, **options)


def _celery(raw: redis.Redis) -> list[Any]:
    return [json.loads(each) for each in raw.lrange("celery", 0, -1)]


def _dramatiq(raw: redis.Redis) -> list[Any]:
    return [json.loads(each) for each in raw.hvals("dramatiq:default.msgs")]


def _rq(raw: redis.Redis) -> list[Any]:
    found = rq.Queue(connection=raw, serializer=JSONSerializer).jobs
    assert all(job.func is cancel for job in found)
    return found


BRIDGES = {
    "celery": Bridge(
        of_celery,
        lambda raw: [each["headers"]["id"] for each in _celery(raw)],
        lambda raw: [each["headers"]["argsrepr"] for each in _celery(raw)],
        2,
        kombu.exceptions.EncodeError,
    ),
    "dramatiq": Bridge(
        of_dramatiq,
        lambda raw: [each["message_id"] for each in _dramatiq(raw)],
        lambda raw: [each["args"] for each in _dramatiq(raw)],
        2,
        TypeError,
    ),
    "rq": Bridge(
        of_rq,
        lambda raw: [each.id for each in _rq(raw)],
        lambda raw: [each.args for each in _rq(raw)],
        1,
        TypeError,
    ),
}
each_bridge = pytest.mark.parametrize("bridge", BRIDGES.values(), ids=BRIDGES)


@pytest.fixture
def redisson(url: str) -> Iterator[Redisson]:
    with Redisson.from_url(url, codec=JsonJacksonCodec()) as redisson:
        yield redisson


@pytest.fixture
def message(redisson: Redisson) -> Message[Any]:
    queue = redisson.get_queue("unpaid")
    queue.add("order-1")
    return redisson.get_consumer(queue).take()


@each_bridge
def test_a_message_becomes_a_task_with_its_id(
    bridge: Bridge, message: Message[Any], url: str, raw: redis.Redis
) -> None:
    hand_over = bridge.make(url)
    hand_over(message)
    assert bridge.ids(raw) == [message.id]
    hand_over(message)  # as after kill -9 between the hand-over and the acknowledgement
    assert bridge.ids(raw) == [message.id] * bridge.repeats
    hand_over("without an id")
    assert "without an id" in str(bridge.args(raw))
    bridge.make(url, arguments=lambda value: (value, 7))("more")
    assert "7" in str(bridge.args(raw))


@each_bridge
def test_a_broker_that_is_down_defers_and_a_wrong_value_does_not(
    bridge: Bridge, url: str, raw: redis.Redis
) -> None:
    with pytest.raises(Defer) as caught:
        bridge.make(CLOSED, pause=7)("order-1")
    assert caught.value.delay == 7
    with pytest.raises(bridge.wrong):
        bridge.make(url)({"what JSON": {1, 2}})


async def test_taskiq_bridge_hands_over_and_defers(url: str) -> None:
    broker, done = taskiq.InMemoryBroker(), list[tuple[str, str]]()

    @broker.task
    async def note(order: str, context: Annotated[taskiq.Context, taskiq.TaskiqDepends()]) -> None:
        done.append((order, context.message.task_id))

    await broker.startup()
    hand_over = for_taskiq.hand_over_to(note)
    with Redisson.from_url(url, codec=JsonJacksonCodec()) as redisson:
        queue = redisson.get_queue("unpaid")
        queue.add("order-1")
        message = await asyncio.to_thread(redisson.get_consumer(queue).take)
        await hand_over(message)
        await until_async(lambda: bool(done), "the task runs")
        assert done == [("order-1", message.id)]
    with pytest.raises((TypeError, ValueError), match="serializ"):
        await hand_over(object())

    class Down(taskiq.InMemoryBroker):
        async def kick(self, message: taskiq.BrokerMessage) -> None:
            raise OSError("no broker")

    down = Down()

    @down.task
    async def other(order: str) -> None: ...

    with pytest.raises(Defer):
        await for_taskiq.hand_over_to(other)("order-1")
    await broker.shutdown()


def test_messages_wait_for_a_broker_and_keep_their_ids(
    redisson: Redisson, raw: redis.Redis, caplog: pytest.LogCaptureFixture
) -> None:
    """An outage may take more than `max_deliveries` attempts; its start and end log a line each."""
    tries: list[str] = []
    target = rq.Queue(connection=redis.Redis.from_url(CLOSED), serializer=JSONSerializer)
    bridge = for_rq.hand_over_to(target, cancel, pause=0.05)

    def hand_over(message: Message[Any]) -> None:
        tries.append(message.id)
        if len(tries) == 6:
            target.connection = raw
        bridge(message)
        worker.stop()

    queue = redisson.get_queue("unpaid")
    worker = Worker(redisson, queue, hand_over, pass_message=True, max_deliveries=2)
    queue.add("order-1")
    with caplog.at_level(logging.WARNING, "pyredisson"):
        worker.run()
    assert worker.stats() == WorkerStats(done=1, deferred=5)
    assert tries == [job.id for job in _rq(raw)] * 6
    assert [re.sub(r": .*|\d.*", "", each.getMessage()) for each in caplog.records] == [
        "messages for task cancel wait",
        "messages for task cancel no longer wait, after ",
    ]


def test_a_pause_is_checked_at_once() -> None:
    with pytest.raises(ValueError, match="pause"):
        HandOver("task", None, -1)


@pytest.mark.parametrize("bridge", [for_celery, for_dramatiq, for_rq, for_taskiq])
def test_bridge_rejects_an_object_that_is_no_task(bridge: Any) -> None:
    words = (cancel, "queue") if bridge is for_rq else (cancel,)
    with pytest.raises(
        TypeError, match=r"must be a (celery|dramatiq|rq|taskiq)\..*, not <function"
    ):
        bridge.hand_over_to(*words)
