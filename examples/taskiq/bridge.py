"""Hands due orders over to taskiq."""

import asyncio
import os
import sys

from tasks import broker, cancel_unpaid

from pyredisson import AsyncRedisson, AsyncWorker
from pyredisson.codecs import StringCodec
from pyredisson.integrations.taskiq import hand_over_to


async def main() -> int:
    """Run until SIGTERM."""
    await broker.startup()
    url = os.environ["PYREDISSON_URL"]
    async with AsyncRedisson.from_url(url, codec=StringCodec()) as redisson:
        queue = redisson.get_blocking_queue("unpaid")
        handler = hand_over_to(cancel_unpaid)
        status = await AsyncWorker(redisson, queue, handler, pass_message=True).run()
    await broker.shutdown()
    return status


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
