"""Hands due items over to taskiq; see docs/task-queues.md.

Example::

    await broker.startup()
    worker = AsyncWorker(redisson, orders, hand_over_to(cancel_unpaid), pass_message=True)
    await worker.run()
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

try:
    from taskiq import AsyncTaskiqDecoratedTask
    from taskiq.exceptions import SendTaskError
except ImportError as error:
    raise ImportError(
        "pyredisson.integrations.taskiq needs taskiq: pip install taskiq "
        "(pyredisson's extra 'taskiq')"
    ) from error

from pyredisson.integrations.handing_over import Arguments, HandOver, require
from pyredisson.protocol.kernel.due import Seconds

__all__ = ["hand_over_to"]


def hand_over_to(
    task: AsyncTaskiqDecoratedTask[..., Any],
    *,
    arguments: Arguments | None = None,
    pause: Seconds = 5,
    **labels: Any,
) -> Callable[[Any], Awaitable[None]]:
    """Return a handler of an `AsyncWorker` that sends messages to a taskiq task.

    With `pass_message=True` of the worker, the task's id is that of the message. Call
    `await broker.startup()` before.

    Args:
        task: the task.
        arguments: returns its positional arguments for a value; by default the value alone.
        pause: seconds until a message is redelivered that the broker did not accept.
        **labels: of the task.

    Raises:
        TypeError, ValueError: an argument is not valid.
    """
    require(task, AsyncTaskiqDecoratedTask, "task")
    handing = HandOver(task.task_name, arguments, pause)

    async def hand_over(given: Any) -> None:
        args, task_id = handing.parts(given)
        kicker = task.kicker().with_labels(**labels)
        if task_id is not None:
            kicker = kicker.with_task_id(task_id)
        with handing.sending():
            try:
                await kicker.kiq(*args)
            except SendTaskError as error:
                if isinstance(error.__cause__, TypeError | ValueError):  # it cannot be encoded
                    raise error.__cause__ from error
                raise

    return hand_over
