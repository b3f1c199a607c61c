"""Hands due items over to Celery; see docs/task-queues.md.

Example::

    Worker(redisson, orders, hand_over_to(cancel_unpaid), pass_message=True).run()
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

try:
    from celery import Signature, Task
    from kombu.exceptions import EncodeError
except ImportError as error:
    raise ImportError(
        "pyredisson.integrations.celery needs Celery: pip install celery "
        "(pyredisson's extra 'celery')"
    ) from error

from pyredisson.integrations.handing_over import Arguments, HandOver, require
from pyredisson.protocol.kernel.due import Seconds

__all__ = ["hand_over_to"]


def hand_over_to(
    task: Any, *, arguments: Arguments | None = None, pause: Seconds = 5, **options: Any
) -> Callable[[Any], None]:
    """Return a handler of a worker that sends messages to a Celery task.

    With `pass_message=True` of the worker, the task's id is that of the message.

    Args:
        task: a task, or a signature.
        arguments: returns the task's positional arguments for a value; by default the value alone.
        pause: seconds until a message is redelivered that the broker did not accept.
        **options: of `apply_async`, such as `queue="orders"`. `retry` is False by default.

    Raises:
        TypeError, ValueError: an argument is not valid.
    """
    require(task, Signature if isinstance(task, Signature) else Task, "task")
    handing = HandOver(str(getattr(task, "name", task)), arguments, pause, (EncodeError,))

    def hand_over(given: Any) -> None:
        args, task_id = handing.parts(given)
        with handing.sending():
            task.apply_async(args, task_id=task_id, **{"retry": False, **options})

    return hand_over
