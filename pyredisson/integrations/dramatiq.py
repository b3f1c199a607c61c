"""Hands due items over to dramatiq; see docs/task-queues.md.

Example::

    Worker(redisson, orders, hand_over_to(cancel_unpaid), pass_message=True).run()
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

try:
    from dramatiq import Actor
except ImportError as error:
    raise ImportError(
        "pyredisson.integrations.dramatiq needs dramatiq: pip install dramatiq "
        "(pyredisson's extra 'dramatiq')"
    ) from error

from pyredisson.integrations.handing_over import Arguments, HandOver, require
from pyredisson.protocol.kernel.due import Seconds

__all__ = ["hand_over_to"]


def hand_over_to(
    actor: Actor[..., Any],
    *,
    arguments: Arguments | None = None,
    pause: Seconds = 5,
    **options: Any,
) -> Callable[[Any], None]:
    """Return a handler of a worker that sends messages to an actor.

    With `pass_message=True` of the worker, dramatiq's message has the id of the message.

    Args:
        actor: the actor.
        arguments: returns its positional arguments for a value; by default the value alone.
        pause: seconds until a message is redelivered that the broker did not accept.
        **options: of `message_with_options`, such as `max_retries=3`.

    Raises:
        TypeError, ValueError: an argument is not valid.
    """
    require(actor, Actor, "actor")
    handing = HandOver(actor.actor_name, arguments, pause)

    def hand_over(given: Any) -> None:
        args, message_id = handing.parts(given)
        message = actor.message_with_options(args=args, **options)
        if message_id is not None:
            message = message.copy(message_id=message_id)
        message.encode()  # what cannot be encoded raises here
        with handing.sending():
            actor.broker.enqueue(message)

    return hand_over
