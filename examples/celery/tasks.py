"""The tasks of the shop, for Celery's workers."""

import os

from celery import Celery

app = Celery("shop", broker=os.environ["PYREDISSON_URL"])


@app.task
def cancel_unpaid(order: str) -> None:
    """Cancel an order; it may come twice, so a real task looks at its state."""
    print(f"{order}: not paid in time, cancelled", flush=True)
