"""What the bridges to task queues share: the task's id and arguments, and outages of its broker.

A bridge is the handler of a worker. It returns when the task queue has the task, and the worker
then acknowledges the message. If the task queue cannot be reached, the message is redelivered after
a pause, as often as needed: it does not become a dead letter. What the task queue cannot encode
does.

The rule: a message that is delivered again makes a task with the same id.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import Any, TypeAlias

from pyredisson import AsyncMessage, Defer, Message
from pyredisson._support.error_text import described, text_of
from pyredisson.protocol.kernel.due import Seconds, not_negative
from pyredisson.protocol.kernel.outage import Outages

__all__ = ["Arguments", "HandOver", "require"]

Arguments: TypeAlias = Callable[[Any], Sequence[Any]]
"""Returns the positional arguments of the task for a value."""

log = logging.getLogger("pyredisson")


def require(given: object, kind: type[Any], what: str) -> None:
    """Reject what is no task at once: later its errors would look like an outage."""
    if not isinstance(given, kind):
        raise TypeError(f"{what} must be a {kind.__module__}.{kind.__qualname__}, not {given!r}")


class HandOver:
    """Hands messages over to one task.

    Args:
        task: the task's name, for the log.
        arguments: the task's arguments for a value; by default the value alone.
        pause: seconds until a message is redelivered that the task queue did not accept.
        raised: errors of the task queue that report a wrong task, in addition to TypeError and
            ValueError.
    """

    def __init__(
        self,
        task: str,
        arguments: Arguments | None,
        pause: Seconds,
        raised: tuple[type[Exception], ...] = (),
    ) -> None:
        self._task = task
        self._arguments = arguments
        self._pause = not_negative(pause, "pause")
        self._raised: tuple[type[Exception], ...] = (TypeError, ValueError, *raised)
        self._outages = Outages(lapse=60.0)

    def parts(self, given: Any) -> tuple[tuple[Any, ...], str | None]:
        """Return the task's arguments and its id, which is that of a message; None for a value."""
        is_message = isinstance(given, Message | AsyncMessage)
        value, task_id = (given.value, given.id) if is_message else (given, None)
        return (value,) if self._arguments is None else tuple(self._arguments(value)), task_id

    @contextmanager
    def sending(self) -> Iterator[None]:
        """Turn an outage of the task queue into `Defer`.

        Raises:
            Defer: the task queue did not take the task.
            Exception: the task is wrong.
        """
        try:
            yield
        except self._raised:
            raise
        except Exception as error:
            if self._outages.begins("", monotonic()):
                log.warning("messages for task %s wait: %s", self._task, _described(error))
            raise Defer(self._pause) from error
        if (after := self._outages.ended("", monotonic())) is not None:
            log.warning("messages for task %s no longer wait, after %.1f s", self._task, after)


def _described(error: BaseException) -> str:
    return described(error if text_of(error) else error.__cause__ or error)
