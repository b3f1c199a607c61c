"""The tasks of the shop, for taskiq's workers."""

import os

from taskiq_redis import ListQueueBroker

broker = ListQueueBroker(os.environ["PYREDISSON_URL"])


@broker.task
async def cancel_unpaid(order: str) -> None:
    """Cancel an order; it may come twice, so a real task looks at its state."""
    print(f"{order}: not paid in time, cancelled", flush=True)
