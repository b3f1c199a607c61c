"""A client and workers for the life of a FastAPI or Starlette application; see docs/fastapi.md.

Example::

    app = FastAPI(lifespan=redisson_lifespan(client, worker))
    app.add_route("/livez", livez)
    app.add_route("/readyz", readyz)

    @app.post("/orders/{order}")
    async def create(order: str, redisson: Annotated[AsyncRedisson, Depends(get_redisson)]): ...
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import Any, TypedDict

try:
    from starlette.requests import HTTPConnection, Request
    from starlette.responses import JSONResponse
except ImportError as error:
    raise ImportError(
        "pyredisson.integrations.fastapi needs Starlette: pip install fastapi "
        "(pyredisson's extra 'fastapi')"
    ) from error

from pyredisson import AsyncRedisson, AsyncWorker, Health

__all__ = ["get_redisson", "livez", "readyz", "redisson_lifespan"]


class State(TypedDict):
    """What a lifespan adds to `request.state`."""

    redisson: AsyncRedisson
    redisson_workers: tuple[AsyncWorker, ...]


def redisson_lifespan(
    client: Callable[[], AsyncRedisson], *workers: Callable[[AsyncRedisson], AsyncWorker]
) -> Callable[[Any], AbstractAsyncContextManager[State]]:
    """Return a lifespan: a client for the application, and workers beside its requests.

    At shutdown the workers stop as `stop` does, then the client closes. If a worker ends with an
    error before, the process gets SIGTERM, so that the server ends and is restarted.

    Args:
        client: makes the client, once for each process.
        workers: each makes a worker for that client.

    Returns:
        A function for `lifespan=`. A lifespan of your own can enter its result, and yield the same
        state, or a dict that includes it.

    Raises:
        ServerError, ClosedError: at shutdown, what ended a worker.
    """

    @asynccontextmanager
    async def lifespan(_app: Any) -> AsyncIterator[State]:
        async with AsyncExitStack() as stack:
            redisson = await stack.enter_async_context(client())
            made = tuple(make(redisson) for make in workers)
            for worker in made:
                await stack.enter_async_context(worker.running())
            yield {"redisson": redisson, "redisson_workers": made}

    return lifespan


def get_redisson(connection: HTTPConnection) -> AsyncRedisson:
    """Return the application's client; for `Depends`, also in a websocket's endpoint.

    Raises:
        RuntimeError: the application runs without `redisson_lifespan`.
    """
    found: AsyncRedisson = _state(connection, "redisson")
    return found


async def livez(request: Request) -> JSONResponse:
    """Answer 200 while all workers and transfer tasks work, also during an outage of Redis.

    Otherwise it answers 503. An endpoint for `app.add_route("/livez", livez)`.
    """
    return _answer(request, await get_redisson(request).health(timeout=0))


async def readyz(request: Request) -> JSONResponse:
    """Answer as `livez` does, but 503 also while Redis does not answer, or transfers are late.

    An endpoint for `app.add_route("/readyz", readyz)`.
    """
    health = await get_redisson(request).health()
    late = [f"the transfer of {name!r} is late" for name in health.late]
    return _answer(request, health, *late, *([] if health.connected else ["Redis does not answer"]))


def _answer(request: Request, health: Health, *wrong: str) -> JSONResponse:
    workers = [each for each in _state(request, "redisson_workers") if not each.healthy]
    ended = [
        f"the transfer of {name!r}" for name, each in health.transfers.items() if not each.running
    ]
    reasons = [*(f"{each} has ended" for each in (*map(repr, workers), *ended)), *wrong]
    if reasons:
        return JSONResponse({"status": "failed", "reason": "; ".join(reasons)}, status_code=503)
    return JSONResponse({"status": "ok"})


def _state(connection: HTTPConnection, name: str) -> Any:
    try:
        return getattr(connection.state, name)
    except AttributeError:
        raise RuntimeError(
            f"request.state.{name} is missing: make the application with "
            "lifespan=redisson_lifespan(...), and yield its state from a lifespan of your own; "
            "in tests enter the client: `with TestClient(app) as client`"
        ) from None
