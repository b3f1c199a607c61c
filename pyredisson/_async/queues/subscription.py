"""subscribeOnElements: a consumer that is called with each value."""

from __future__ import annotations

import logging
from collections.abc import Callable, Hashable
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pyredisson._async.waits.slices import is_waitable, wait_for_async
from pyredisson._runtime.user_code import call_async, require_function_async
from pyredisson._support.error_text import text_of
from pyredisson._support.unpicklable import Unpicklable
from pyredisson.errors import ClosedError, DecodeError
from pyredisson.protocol.kernel.backoff import Pauses
from pyredisson.protocol.kernel.log_fields import about
from pyredisson.protocol.queues.blocking_queue import BlockingProtocol
from pyredisson.protocol.queues.queue import End
from pyredisson.server_errors import ServerError

if TYPE_CHECKING:
    from pyredisson._async.context import AsyncContext
    from pyredisson._async.queues.queue import AsyncQueue

V = TypeVar("V")
log = logging.getLogger("pyredisson")


class AsyncSubscription(Unpicklable, Generic[V]):
    """A running consumer; `close` ends it after the current value."""

    def __init__(
        self, context: AsyncContext, queue: AsyncQueue[V], consumer: Callable[[V], Any]
    ) -> None:
        require_function_async(consumer, "consumer")
        self._context = context
        self._queue = queue
        self._consumer = consumer
        self._closed = False
        self._key = context.mapper.map(queue.name)
        self._extra = about(self._key)
        self._task = context.link.life.begin(self._work, f"pyredisson consumer of {queue.name}")
        context.children.add(self)

    def __repr__(self) -> str:
        state = "closed" if self._closed else "open"
        return f"<{type(self).__name__} {self._key!r} {state}>"

    @property
    def name(self) -> str:
        """The name of the queue, as the program gave it."""
        return self._queue.name

    async def _work(self) -> None:
        blocking = BlockingProtocol(self._key, self._queue.codec)
        pop = partial(blocking.pop_any, (self._key,), End.FIRST)
        checks = [blocking.check_any(self._key, End.FIRST)]
        backoff, link, worked = Pauses(), self._context.link, False
        while not self._closed:
            try:
                found = await wait_for_async(link, pop, 1.0, checks=lambda: checks)
            except DecodeError as error:
                log.error(
                    "the consumer of %r skips a value: %s",
                    self._key,
                    text_of(error),
                    extra=self._extra,
                )
                if error.kept_in is None:
                    log.error(
                        "its bytes, which are stored nowhere else: %r", error.raw, extra=self._extra
                    )
                continue
            except ClosedError:
                return
            except Exception as error:
                waits = is_waitable(error)
                if not waits and not (worked and isinstance(error, ServerError)):
                    log.exception("the consumer of %r has ended", self._key, extra=self._extra)
                    return
                link.wait_failed(self._key, error, alone=not waits)
                await link.life.pause(backoff.pause())
                continue
            backoff.reset()
            worked = True
            if found is not None:
                await self._deliver(found[1])

    async def _deliver(self, value: V) -> None:
        try:
            await call_async(self._consumer, value)
        except Exception:
            log.exception("the consumer of %r raised for %r", self._key, value, extra=self._extra)

    async def close(self) -> None:
        """End the subscription; wait up to 10 s for the consumer to finish its current value."""
        self._stop_taking()
        self._context.children.discard(self)
        await self._task.stop(10.0)

    def _stop_taking(self) -> None:
        """Let the consumer take no other value."""
        self._closed = True

    def _place(self) -> Hashable:
        return self

    def _held_count(self) -> int:
        return 0
