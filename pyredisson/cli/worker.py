"""`pyredisson worker MODULE:HANDLER NAME...`: calls a function with each message of queues.

A coroutine function runs in an AsyncWorker, another function in the threads of a Worker.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Callable
from typing import Any

import click

from pyredisson import AsyncRedisson, AsyncWorker, Backoff, Worker
from pyredisson._runtime.user_code import awaits
from pyredisson.cli.endpoints import Endpoints, Health
from pyredisson.cli.handlers import named, outcomes_of
from pyredisson.cli.options import Session, on_server
from pyredisson.cli.reload import is_reloaded, run_reloading
from pyredisson.cli.times import DURATION

__all__ = ["worker"]

_COUNT = click.IntRange(1)
_OPTIONS = [
    click.option("--concurrency", type=_COUNT, default=8, show_default=True,
                 help="Messages that are handled at the same time."),
    click.option("--lease", type=DURATION, default="30s", show_default=True, metavar="DURATION",
                 help="After a crash, others get this worker's messages so much later."),
    click.option("--max-deliveries", type=_COUNT, default=10, show_default=True,
                 help="After so many deliveries a message becomes a dead letter."),
    click.option("--backoff", type=DURATION, default="1s", show_default=True, metavar="DURATION",
                 help="First pause before the next attempt; each further one is twice as long."),
    click.option("--backoff-limit", type=DURATION, default="5m", show_default=True,
                 metavar="DURATION", help="Longest pause before the next attempt."),
    click.option("--on-error", multiple=True, metavar="CLASS=OUTCOME",
                 help="retry, dead or drop for a class of exceptions: app:PaymentError=dead."),
    click.option("--time-limit", type=DURATION, metavar="DURATION",
                 help="Then TimeLimitError is raised in the handler."),
    click.option("--batch-size", type=click.IntRange(1, 1000), default=1, show_default=True,
                 help="With more than 1, the handler gets a list of at most so many."),
    click.option("--batch-wait", type=DURATION, default="0", metavar="DURATION",
                 help="Longest wait for a full batch."),
    click.option("--pass-message", is_flag=True,
                 help="The handler gets the Message instead of its value."),
    click.option("--stop-timeout", type=DURATION, default="30s", show_default=True,
                 metavar="DURATION", help="Longest wait of a stop for running handlers."),
    click.option("--give-up-after", type=DURATION, metavar="DURATION",
                 help="End with an error after an outage that is so long; by default never."),
    click.option("--fair", is_flag=True,
                 help="Each of several queues is first in turn, instead of by priority."),
    click.option("--consumer-name", metavar="NAME",
                 help="Name in `items --state in-progress`; by default host, process and number."),
]  # fmt: skip


def _with_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.command()
@click.argument("handler", metavar="MODULE:HANDLER")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@_with_options
@click.option(
    "--health",
    metavar="[HOST:]PORT",
    help="Answer /livez and /readyz at this port, on all interfaces without HOST.",
)
@click.option(
    "--metrics",
    metavar="[HOST:]PORT",
    help="Answer /metrics for Prometheus at this port; it may be that of --health.",
)
@click.option(
    "--reload",
    is_flag=True,
    help="For development: start again when a .py file below --reload-dir changes.",
)
@click.option(
    "--reload-dir",
    "reload_dirs",
    multiple=True,
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False),
    help="Instead of the current directory; several are possible.",
)
@click.option("--verbose", is_flag=True, help="Log at level DEBUG.")
@on_server(codec=True, document=False)
def worker(
    session: Session,
    *,
    handler: str,
    names: tuple[str, ...],
    health: str | None,
    metrics: str | None,
    reload: bool,
    reload_dirs: tuple[str, ...],
    **given: Any,
) -> int:
    """Call a function with the value of each message, until Ctrl-C or SIGTERM.

    The message is acknowledged when the function returns, and redelivered when it raises. Of
    several queues, a later one is served while all before it are empty. The worker transfers due
    items of its queues, too. A coroutine function runs in an event loop, another one in threads.

    The exit code is 0; 1 if handlers still ran after --stop-timeout; 2 if it could not start, or
    gave up.

    Examples:
      pyredisson worker app.tasks:handle orders --codec json
      pyredisson worker app.tasks:handle urgent normal --concurrency 20 --on-error ValueError=dead
    """
    if reload and not is_reloaded():
        return run_reloading(sys.argv[1:], reload_dirs or ["."])
    logging.basicConfig(
        level=logging.DEBUG if given.pop("verbose") else logging.INFO,
        format="%(asctime)s %(levelname)s %(message)s",
    )
    options = _options_of(given)
    function = named(handler)
    if not callable(function):
        raise ValueError(f"{handler!r} is not a function, but {type(function).__name__}")
    endpoints = Endpoints(Health(session.place))
    hooks = None if metrics is None else endpoints.serve_metrics(metrics)
    if health is not None:  # last: a probe succeeds only when the others can be asked
        endpoints.serve_health(health)
    if awaits(function):
        options["hooks"] = hooks
        with session.place.with_remedy():
            return asyncio.run(_run_async(session, endpoints.health, function, names, options))
    with session.connected(hooks=hooks) as redisson:
        endpoints.health.redisson = redisson
        queues = [redisson.get_blocking_queue(name, codec=session.codec) for name in names]
        return Worker(redisson, queues, function, **options).run()


async def _run_async(
    session: Session,
    health: Health,
    function: Callable[..., Any],
    names: tuple[str, ...],
    options: dict[str, Any],
) -> int:
    client, hooks = session.place.async_client(), options.pop("hooks")
    beating = asyncio.create_task(_beat(health))
    try:
        async with AsyncRedisson(client, release=session.release, hooks=hooks) as redisson:
            health.redisson = redisson
            queues = [redisson.get_blocking_queue(name, codec=session.codec) for name in names]
            return await AsyncWorker(redisson, queues, function, **options).run()
    finally:
        beating.cancel()
        await client.aclose()


async def _beat(health: Health) -> None:
    while True:
        health.beat()
        await asyncio.sleep(1)


def _options_of(given: dict[str, Any]) -> dict[str, Any]:
    pauses = Backoff(_seconds(given.pop("backoff")), limit=_seconds(given.pop("backoff_limit")))
    return {**given, "backoff": pauses, "on_error": outcomes_of(given.pop("on_error"))}


def _seconds(value: Any) -> float:
    return float(getattr(value, "total_seconds", lambda: value)())
