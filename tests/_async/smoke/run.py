"""Runs the steps of a smoke run, one after the other, against any server."""

from __future__ import annotations

import os
import random
from collections.abc import Awaitable, Callable
from time import monotonic
from types import TracebackType
from typing import Any, Self, TypeVar

from redis.exceptions import ResponseError

from pyredisson import AsyncBlockingQueue, AsyncDelayedQueue, AsyncRedisson
from pyredisson.codecs import StringCodec
from tests.support.smoking import (
    PROMPT,
    SAFETY,
    SLICE,
    STEP_SECONDS,
    Result,
    Unexpected,
    holds,
    outcome_of,
    told,
)
from tests.support.twins import AsyncStarted

Step = Callable[["AsyncSmoke"], Awaitable[None]]
Make = Callable[..., AsyncRedisson]
V = TypeVar("V")


class AsyncSmoke:
    """The clients and queues of a step. The queues are deleted after the step.

    Args:
        make: makes a client of the server, with the options given.
        url: the server, for other processes.
        rest: seconds that the client is idle in the steps about idle clients.
    """

    def __init__(self, make: Make, url: str, *, rest: float = 0.0) -> None:
        self._make = make
        self.url = url
        self.rest = rest
        self._run = f"smoke-{os.getpid()}-{random.getrandbits(32):08x}"
        self._step = ""
        self._left: list[Any] = []
        self.late: float | None = None
        self.redisson = self.client(safety_interval=SAFETY)

    def client(self, **options: Any) -> AsyncRedisson:
        """Return another client of the server. The caller must close it."""
        return self._make(codec=StringCodec(), **options)

    def name(self, label: str = "q") -> str:
        """Return the name of a queue of this step. All these names are in one slot."""
        return f"{{{self._run}-{self._step}}}:{label}"

    def loose(self, label: str = "q") -> str:
        """Return the name of a queue of this step that is in a slot of its own."""
        return f"{self._run}-{self._step}:{label}"

    def queue(
        self, label: str = "q", client: AsyncRedisson | None = None
    ) -> AsyncBlockingQueue[str]:
        """Return a blocking queue of this step."""
        queue = (client or self.redisson).get_blocking_queue(self.name(label))
        mine = self.redisson.get_blocking_queue(self.name(label))
        self._left.append(mine)
        return queue

    def delayed(self, label: str = "q", **options: Any) -> AsyncDelayedQueue[str]:
        """Return a delayed queue of this step, whose items this client transfers."""
        delayed = self.redisson.get_delayed_queue(self.queue(label), **options)
        self._left.append(delayed)
        return delayed

    async def arrived(self, queue: AsyncBlockingQueue[V], client: AsyncRedisson | None = None) -> V:
        """Return the next value.

        If none arrives, raise the server's error for the transfer task.
        """
        stats, deadline = (client or self.redisson).transfer_stats, monotonic() + 2 * PROMPT
        while (value := await queue.poll(timeout=SLICE)) is None:
            for each in stats():
                if each.refused and each.queue == queue.name:
                    raise ResponseError(each.refused)
            holds(monotonic() < deadline, "something came")
        return value

    def came(self, due: float, promise: float = PROMPT) -> None:
        """Record and check the delay of something that was due at a time of `monotonic`."""
        late = monotonic() - due
        self.late = max(late, self.late or 0.0)
        holds(late >= -0.5, f"it came when it was due, not {-late:.2f} s sooner")
        holds(late <= promise, f"it came {promise:g} s late at most, not {late:.2f} s")

    async def run(self, name: str, step: Step) -> Result:
        """Run one step, and clear up after it."""
        self._step, self.late, begin = name.replace(" ", "-"), None, monotonic()
        try:
            await AsyncStarted(lambda: step(self)).result(STEP_SECONDS)
        except TimeoutError as raised:
            error: Exception = Unexpected(str(raised) or f"not done after {STEP_SECONDS:g} s")
        except Exception as raised:
            error = raised
        else:
            await self._clear_up()
            return Result(name, "ok", monotonic() - begin, self.late)
        await self._clear_up()
        return Result(name, outcome_of(error), monotonic() - begin, self.late, told(error))

    async def _clear_up(self) -> None:
        left, self._left = self._left, []
        for each in reversed(left):
            try:
                await each.delete()
                if isinstance(each, AsyncDelayedQueue):
                    each.destroy()
            except Exception:
                continue  # the result of the step reports the error

    async def __aenter__(self) -> Self:
        """Begin."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the client."""
        await self.redisson.aclose()


async def smoke_async(
    make: Make,
    url: str,
    steps: dict[str, Step],
    *,
    rest: float = 0.0,
    seen: Callable[[Result], object] = lambda _result: None,
) -> list[Result]:
    """Run steps, and return the result of each."""
    results = []
    async with AsyncSmoke(make, url, rest=rest) as run:
        for name, step in steps.items():
            results.append(await run.run(name, step))
            seen(results[-1])
    return results
