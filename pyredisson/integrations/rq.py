"""Hands due items over to RQ; see docs/task-queues.md.

Example::

    Worker(redisson, orders, hand_over_to(queue, cancel_unpaid), pass_message=True).run()
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

try:
    from rq import Queue
    from rq.exceptions import DuplicateJobError
except ImportError as error:
    raise ImportError(
        "pyredisson.integrations.rq needs RQ 2.8 or newer: pip install rq (pyredisson's extra 'rq')"
    ) from error

from pyredisson.integrations.handing_over import Arguments, HandOver, require
from pyredisson.protocol.kernel.due import Seconds

__all__ = ["hand_over_to"]


def hand_over_to(
    queue: Queue,
    function: Any,
    *,
    arguments: Arguments | None = None,
    pause: Seconds = 5,
    **options: Any,
) -> Callable[[Any], None]:
    """Return a handler of a worker that makes a job of each message.

    With `pass_message=True` of the worker, the job has the id of the message, and RQ takes it once
    as long as it keeps the job (`result_ttl`).

    Args:
        queue: RQ's queue.
        function: the job's function, or its dotted name.
        arguments: returns its positional arguments for a value; by default the value alone.
        pause: seconds until a message is redelivered that RQ's Redis did not accept.
        **options: of `enqueue_call`, such as `timeout=60`.

    Raises:
        TypeError, ValueError: an argument is not valid.
    """
    require(queue, Queue, "queue")
    name = str(getattr(function, "__qualname__", function))
    handing = HandOver(name, arguments, pause)

    def hand_over(given: Any) -> None:
        args, job_id = handing.parts(given)
        with handing.sending(), suppress(DuplicateJobError):
            queue.enqueue_call(function, args, job_id=job_id, unique=job_id is not None, **options)

    return hand_over
