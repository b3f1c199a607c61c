"""Runs the workers of the settings, with Django's database connections.

The rule: what Django does at a request's start and end, it does here before and after a handler.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import wraps
from typing import Any

from asgiref.sync import async_to_sync
from django.core.exceptions import ImproperlyConfigured
from django.db import close_old_connections, reset_queries

from pyredisson import Worker
from pyredisson._runtime.user_code import awaits
from pyredisson.integrations.django.client import get_redisson
from pyredisson.integrations.django.configuration import Configuration

__all__ = ["in_django", "run_workers"]


def in_django(handler: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a handler that leaves no broken database connection and no log of queries behind."""
    function: Callable[[Any], Any] = async_to_sync(handler) if awaits(handler) else handler

    @wraps(handler)
    def handle(value: Any) -> Any:
        reset_queries()
        close_old_connections()
        try:
            return function(value)
        finally:
            close_old_connections()

    return handle


def run_workers(names: Sequence[str] = ()) -> int:
    """Run the workers of these queues, or of all, until SIGTERM or SIGINT.

    Returns:
        The exit code of the first worker.

    Raises:
        ImproperlyConfigured: a queue, or none at all, has a worker in the settings.
        ServerError: what ended a worker.
    """
    found, redisson = Configuration.read(), get_redisson()
    names = names or tuple(found.workers)
    if not names:
        raise ImproperlyConfigured(
            "PYREDISSON['WORKERS'] is empty: name a handler for a queue, as in "
            '{"orders": "shop.tasks.cancel_unpaid"}'
        )
    workers = []
    for name in names:
        handler, options = found.worker(name)
        queue = redisson.get_blocking_queue(name)
        workers.append(Worker(redisson, queue, in_django(handler), **options))
    with ExitStack() as stack:
        for each in workers[1:]:
            stack.enter_context(each.running())
        try:
            return workers[0].run()
        finally:
            for each in workers:
                each.stop()
