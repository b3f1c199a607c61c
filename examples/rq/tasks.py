"""The tasks of the shop, for RQ's workers."""

import os

from redis import Redis
from rq import Queue

queue = Queue("shop", connection=Redis.from_url(os.environ["PYREDISSON_URL"]))


def cancel_unpaid(order: str) -> None:
    """Cancel an order; it may come twice, so a real task looks at its state."""
    print(f"{order}: not paid in time, cancelled", flush=True)
