"""Runs all benchmarks: ``scripts/bench [--rounds N] [--no-java]``."""

from __future__ import annotations

import argparse
import contextlib
from typing import Any

from benchmarks import offer, transfer
from benchmarks.measure import RedisServer


def _java(server: RedisServer, stack: contextlib.ExitStack) -> Any:
    """Return a Java client on the server, or None where Java cannot run."""
    from interop.peer import JavaPeer, UnavailableError  # noqa: PLC0415 - only with Java

    try:
        peer = stack.enter_context(JavaPeer(quick=False))
    except UnavailableError as error:
        print(f"without Java: {error}")
        return None
    print(f"Java: Redisson {peer.info['redisson']}, {peer.runs_as}")
    return stack.enter_context(peer.client(server.url))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--no-java", action="store_true")
    arguments = parser.parse_args()
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(RedisServer())
        java = None if arguments.no_java else _java(server, stack)
        print(f"{'':<44} {'pyredisson':>12} {'other':>12}")
        offer.sync(server, arguments.rounds)
        offer.concurrent(server, arguments.rounds)
        transfer.drain(server, arguments.rounds, java)
        transfer.lateness(server, java)


if __name__ == "__main__":
    main()
