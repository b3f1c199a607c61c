"""What most tests of the handles begin with: a client on an empty server."""

from collections.abc import AsyncIterator

import pytest

from pyredisson import AsyncRedisson
from pyredisson.codecs import StringCodec


@pytest.fixture
async def redisson(url: str) -> AsyncIterator[AsyncRedisson]:
    """A client of ``server``, whose queues hold text unless they say otherwise."""
    async with AsyncRedisson.from_url(url, codec=StringCodec()) as redisson:
        yield redisson
