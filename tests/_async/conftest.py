"""What most tests of the handles begin with: a client on an empty server."""

from collections.abc import AsyncIterator, Callable
from functools import partial

import pytest

from pyredisson import AsyncConsumer, AsyncRedisson
from pyredisson.codecs import StringCodec


@pytest.fixture
async def redisson(url: str) -> AsyncIterator[AsyncRedisson]:
    """A client of ``server``, whose queues hold text unless they say otherwise."""
    async with AsyncRedisson.from_url(url, codec=StringCodec()) as redisson:
        yield redisson


@pytest.fixture
def alone(redisson: AsyncRedisson) -> Callable[..., AsyncConsumer[str]]:
    """Make consumers of the queue ``q``, whose client has no transfer task that helps."""
    return partial(redisson.get_consumer, redisson.get_queue("q"), transfer=False)
