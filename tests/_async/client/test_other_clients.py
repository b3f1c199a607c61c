"""An object of another client is rejected: its server may be another one."""

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from pyredisson import AsyncRedisson, AsyncWorker
from pyredisson.codecs import StringCodec


@pytest.fixture
async def other(url: str) -> AsyncIterator[AsyncRedisson]:
    async with AsyncRedisson.from_url(url, codec=StringCodec()) as other:
        yield other


def delayed(client: AsyncRedisson) -> Any:
    return client.get_delayed_queue(client.get_queue("q"), transfer=False)


def window(client: AsyncRedisson) -> Any:
    return client.get_group_window(client.get_queue("q"), size=2, max_wait=1, transfer=False)


def sharded(client: AsyncRedisson) -> Any:
    return client.get_sharded_queue("q", 2, transfer=False)


def handle(_value: str) -> None:
    """Do nothing."""


SOURCES = (delayed, window, sharded, lambda client: client.get_blocking_queue("q"))
CALLS: dict[str, tuple[Callable[[AsyncRedisson, Any], Any], tuple[Callable[..., Any], ...]]] = {
    "get_consumer": (lambda client, given: client.get_consumer(given), SOURCES),
    "get_dead_letters": (lambda client, given: client.get_dead_letters(given), SOURCES),
    "get_poison_list": (lambda client, given: client.get_poison_list(given), SOURCES[::3]),
    "get_delayed_queue": (lambda client, given: client.get_delayed_queue(given), SOURCES[3:]),
    "get_group_window": (
        lambda client, given: client.get_group_window(given, size=2, max_wait=1),
        SOURCES[::3],
    ),
    "get_schedule": (lambda client, given: client.get_schedule(given), SOURCES[:1]),
    "AsyncWorker": (lambda client, given: AsyncWorker(client, given, handle), SOURCES),
}


@pytest.mark.parametrize("method", CALLS)
async def test_object_of_another_client_is_rejected(
    redisson: AsyncRedisson, other: AsyncRedisson, method: str
) -> None:
    call, sources = CALLS[method]
    for make in sources:
        given = make(other)
        with pytest.raises(
            ValueError, match=r"an object of the same client, but <.*another client"
        ):
            call(redisson, given)
    assert not redisson._context.background.work
