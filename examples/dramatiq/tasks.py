"""The tasks of the shop, for dramatiq's workers."""

import os

import dramatiq
from dramatiq.brokers.redis import RedisBroker

dramatiq.set_broker(RedisBroker(url=os.environ["PYREDISSON_URL"]))


@dramatiq.actor
def cancel_unpaid(order: str) -> None:
    """Cancel an order; it may come twice, so a real task looks at its state."""
    print(f"{order}: not paid in time, cancelled", flush=True)
