"""`pyredisson dashboard`: the queues in a browser, until Ctrl-C."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any

import click

from pyredisson import Redisson
from pyredisson.cli.basic import DONE
from pyredisson.cli.options import Session, on_server
from pyredisson.cli.signals import stopped_by_signals

__all__ = ["dashboard"]

_LOCAL = ("localhost", "127.0.0.1", "::1")
_ANY = ("", "0.0.0.0", "::")  # noqa: S104 - compared only
_CHECK_SECONDS = 0.5
_GRACE = 2
"""Seconds that requests have to end."""
_TOKEN = "PYREDISSON_DASHBOARD_TOKEN"  # noqa: S105 - the name of a variable


@click.command()
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Address to listen at; others need a token.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8080,
    show_default=True,
    help="0: any free one.",
)
@click.option("--actions", is_flag=True, help="Allow changes, by those who sign in.")
@click.option(
    "--token",
    metavar="TOKEN",
    help=f"The secret to sign in with. Others on this machine can see "
    f"it: rather use --token-file, or ${_TOKEN}.",
)
@click.option(
    "--token-file",
    type=click.Path(exists=True, dir_okay=False),
    metavar="FILE",
    help="File whose first line is the token.",
)
@click.option(
    "--allowed-host",
    "allowed_hosts",
    multiple=True,
    metavar="NAME",
    help="A name by which browsers reach it, besides those of this machine; can be repeated.",
)
@on_server(codec=True, document=False)
def dashboard(
    session: Session,
    host: str,
    port: int,
    *,
    actions: bool,
    token: str | None,
    token_file: str | None,
    allowed_hosts: tuple[str, ...],
) -> int:
    """Show all queues in a browser, until Ctrl-C: counts, items, dead letters, findings.

    Without a token only this machine may read, and nothing can be changed. With --actions, those
    who sign in may redrive, drop, cancel, reschedule, pause, repair and offer; each of that is
    written to stderr.

    Examples:
      pyredisson dashboard
      pyredisson dashboard --actions --token-file token.txt
      pyredisson dashboard --host 0.0.0.0 --token-file token.txt --allowed-host ops.example.com
    """
    secret = _token(token, token_file)
    if secret is None and host not in _LOCAL:
        raise click.UsageError(f"--host {host} needs a token: give --token-file, or ${_TOKEN}")
    if secret is None and actions:
        raise click.UsageError(f"--actions needs a token: give --token-file, or ${_TOKEN}")
    names = allowed_hosts if secret is None or host in (*_LOCAL, *_ANY) else (*allowed_hosts, host)
    chosen = session.codec if session.codec_name else None
    make, serve = _needs()
    with (
        _listening(host, port) as listener,
        session.place.client() as client,
        Redisson(client, release=session.release) as redisson,
    ):
        shown = make(redisson, actions=actions, token=secret, codec=chosen, allowed_hosts=names)
        server = serve(shown)
        number = listener.getsockname()[1]
        where = "127.0.0.1" if host in _ANY else f"[{host}]" if ":" in host else host
        session.output.say(f"http://{where}:{number}/")
        session.output.note(f"shows {session.place}; Ctrl-C ends it")
        try:
            _run(server, listener)
        finally:
            shown.close()
    return DONE


def _token(token: str | None, file: str | None) -> str | None:
    if token is not None and file is not None:
        raise click.UsageError("give --token or --token-file, not both")
    if file is not None:
        token = (Path(file).read_text("utf-8").splitlines() or [""])[0].strip()
    elif token is None:
        token = os.environ.get(_TOKEN) or None
    if token == "":
        raise click.UsageError("the token is empty: give a long random text")
    return token


def _needs() -> tuple[Callable[..., Any], Callable[[Any], Any]]:
    try:
        import uvicorn  # noqa: PLC0415 - an extra

        from pyredisson.dashboard import app  # noqa: PLC0415 - an extra
    except ImportError:
        raise ValueError(
            "the dashboard needs starlette and uvicorn: pip install 'pyredisson[dashboard]'"
        ) from None

    def serve(shown: Any) -> uvicorn.Server:
        config = uvicorn.Config(
            shown,
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=_GRACE,
        )
        return uvicorn.Server(config)

    return app, serve


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=128)
    except OSError as error:
        raise OSError(
            f"--host {host} --port {port}: {error}; choose another port or address"
        ) from error


def _run(server: Any, listener: socket.socket) -> None:
    """Serve in a thread, so that signals end it in order."""
    ended = Event()

    def serve() -> None:
        try:
            server.run(sockets=[listener])
        finally:
            ended.set()

    def stop() -> None:
        server.should_exit = True

    with stopped_by_signals(stop):
        Thread(target=serve, daemon=True, name="pyredisson-dashboard").start()
        with suppress(KeyboardInterrupt):  # a second Ctrl-C does not wait for requests
            while not ended.wait(_CHECK_SECONDS):
                pass
