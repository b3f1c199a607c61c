"""A shop: an order that is not paid in time is cancelled."""

from __future__ import annotations

import os
from typing import Annotated

from fastapi import Depends, FastAPI, HTTPException

from pyredisson import AsyncRedisson, AsyncWorker
from pyredisson.codecs import StringCodec
from pyredisson.integrations.fastapi import get_redisson, livez, redisson_lifespan

SECONDS = float(os.environ.get("SECONDS_TO_PAY", "10"))
orders: dict[str, str] = {}  # instead of a database


def client() -> AsyncRedisson:
    """Make the client, once for each process."""
    return AsyncRedisson.from_url(os.environ["PYREDISSON_URL"], codec=StringCodec())


async def cancel_unpaid(order: str) -> None:
    """Handle a due order; it may come twice, so look at its state."""
    if orders.get(order) == "unpaid":
        orders[order] = "cancelled"


def worker(redisson: AsyncRedisson) -> AsyncWorker:
    """Make the worker, which runs beside the requests."""
    return AsyncWorker(redisson, redisson.get_blocking_queue("unpaid"), cancel_unpaid)


app = FastAPI(lifespan=redisson_lifespan(client, worker))
app.add_route("/livez", livez)


@app.post("/orders/{order}")
async def create(order: str, redisson: Annotated[AsyncRedisson, Depends(get_redisson)]) -> str:
    """Create an order, and have it looked at when its time is over."""
    orders[order] = "unpaid"
    await redisson.get_delayed_queue(redisson.get_queue("unpaid")).offer(order, delay=SECONDS)
    return orders[order]


@app.post("/orders/{order}/payment")
async def pay(order: str) -> str:
    """Pay an order; the handler then leaves it alone."""
    if orders.get(order) != "unpaid":
        raise HTTPException(409, f"order {order} is {orders.get(order, 'unknown')}")
    orders[order] = "paid"
    return orders[order]


@app.get("/orders/{order}")
async def state(order: str) -> str:
    """Return an order's state."""
    return orders.get(order, "unknown")
