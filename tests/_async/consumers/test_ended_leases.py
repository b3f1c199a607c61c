"""The log has one line for each message that is redelivered because its lease ended."""

import logging
from collections.abc import Callable
from typing import Any

import pytest

from pyredisson import AsyncConsumer, AsyncRedisson
from pyredisson._async.background.cleanup import AsyncCleanup
from pyredisson.protocol.kernel.log_fields import FIELDS
from tests.support.consuming import NAMES, end_leases

Alone = Callable[..., AsyncConsumer[str]]


def lines(caplog: pytest.LogCaptureFixture) -> list[tuple[Any, ...]]:
    """Return the logged lines that have an attempt, with their fields."""
    return [
        (each.levelname, each.getMessage(), *(vars(each)[name] for name in FIELDS))
        for each in caplog.records
        if hasattr(each, "attempt")
    ]


@pytest.fixture
async def left(alone: Alone, raw: Any) -> str:
    """The id of a message whose consumer has crashed."""
    raw.rpush("q", "a")
    message = await alone(consumer_name="web-1:4711").take()
    end_leases(raw)
    return message.id


async def test_consumer_logs_redelivery_after_an_ended_lease(
    alone: Alone, left: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "pyredisson"):
        assert (await alone().take()).attempt == 2
    line = f"message {left} of 'q', attempt 2: the lease of web-1:4711 had ended"
    assert lines(caplog) == [("INFO", line, "q", left, 2, "web-1:4711")]


async def test_transfer_task_logs_redelivery_after_an_ended_lease(
    redisson: AsyncRedisson, alone: Alone, left: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "pyredisson"):
        await AsyncCleanup(NAMES, 1000, None).reap(redisson._context.link, 1)
        await AsyncCleanup(NAMES, 1000, None).reap(redisson._context.link, 1)
    line = f"message {left} of 'q', attempt 2: the lease of web-1:4711 had ended"
    assert lines(caplog) == [("INFO", line, "q", left, 2, "web-1:4711")]
    assert (await alone().take()).attempt == 2


async def test_redelivery_is_logged_without_a_consumer_name(
    alone: Alone, raw: Any, left: str, caplog: pytest.LogCaptureFixture
) -> None:
    raw.delete(NAMES.consumers)
    with caplog.at_level(logging.INFO, "pyredisson"):
        await alone().take()
    line = f"message {left} of 'q', attempt 2: the lease of an unknown consumer had ended"
    assert lines(caplog) == [("INFO", line, "q", left, 2, None)]
