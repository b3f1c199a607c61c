"""Runs the suite, or the parts that are named: `scripts/bench [PART ...]`.

A part is a module here with `NAME` and `run(bench)`; it needs a line in `PARTS`.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import json
import os
import platform
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import redis

from benchmarks import report
from benchmarks.measure import Bench, RedisServer
from benchmarks.plots import draw

PARTS = [
    "offers",
    "anatomy",
    "transfer",
    "lateness",
    "consume",
    "drain",
    "cluster",
    "memory",
    "locks",
    "objects",
    "hooks",
    "codecs",
    "peers",
]
LIBRARIES = ("pyredisson", "redis", "hiredis", "uvloop")


def _java(server: RedisServer, stack: contextlib.ExitStack) -> tuple[Any, Any]:
    """Return a Java process and its client on the server, or twice None if Java cannot run."""
    from interop.peer import JavaPeer, UnavailableError  # noqa: PLC0415 - only with Java

    try:
        peer = stack.enter_context(JavaPeer(quick=False))
    except UnavailableError as error:
        print(f"without Java: {error}")
        return None, None
    return peer, stack.enter_context(peer.client(server.url))


def _versions(bench: Bench) -> dict[str, str]:
    found = {"python": platform.python_version()}
    for name in LIBRARIES:
        with contextlib.suppress(PackageNotFoundError):
            found[name] = version(name)
    with redis.Redis(port=bench.server.port) as client:
        info: Any = client.info("server")
    found[info.get("server_name", "redis-server")] = info["redis_version"]
    if bench.peer is not None:
        found |= {name: bench.peer.info[name] for name in ("redisson", "java")}
    return found


def _run(name: str, bench: Bench) -> dict[str, Any] | None:
    """Run a part on an empty server; return its JSON entry, or None if the part does not exist."""
    try:
        part: Any = importlib.import_module(f"benchmarks.{name}")
    except ModuleNotFoundError as error:
        if error.name != f"benchmarks.{name}":
            raise
        print(f"{name}: not there yet")
        return None
    start = time.perf_counter()
    with redis.Redis(port=bench.server.port) as client, bench.stack:
        client.flushall()
        client.config_resetstat()
        part.run(bench)
        client.flushall()
    seconds = round(time.perf_counter() - start, 1)
    print(f"\n{name}: {seconds} s")
    return {
        "seconds": seconds,
        "quick": bench.quick,
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "cpus": os.cpu_count(),
        "versions": _versions(bench),
        "cases": bench.cases,
        "samples": bench.distributions,
    }


def _keep(path: Path, name: str, entry: dict[str, Any]) -> None:
    """Write a part into the file, whose other parts stay, and draw the plots beside it."""
    kept = json.loads(path.read_text("utf-8")) if path.exists() else {}
    kept[name] = entry
    kept = {each: kept[each] for each in PARTS if each in kept}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(kept, separators=(",", ":")) + "\n", "utf-8")
    draw(kept, path.parent)
    if path == report.RESULTS:
        report.main()


def main() -> None:
    """Measure, print, and write the JSON."""
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__.partition("\n")[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}")
    parser.add_argument("--rounds", type=int, help="at most; 4, or 2 with --quick")
    parser.add_argument("--quick", action="store_true", help="a look, not for the record")
    parser.add_argument("--no-java", action="store_true")
    parser.add_argument("--no-peers", action="store_true", help="the same as not naming that part")
    where = "benchmarks/results, and its tables into benchmarks/README.md"
    parser.add_argument(
        "--json", type=Path, help=f"put the results here; else, unless --quick, {where}"
    )
    arguments = parser.parse_args()
    if unknown := set(arguments.parts) - set(PARTS):
        parser.error(f"no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    rounds = arguments.rounds or (2 if arguments.quick else 4)
    path = arguments.json or (None if arguments.quick else report.RESULTS)
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(RedisServer())
        peer, java = (None, None) if arguments.no_java else _java(server, stack)
        for name in arguments.parts or PARTS:
            if name == "peers" and arguments.no_peers:
                continue
            entry = _run(name, Bench(server, java, peer, rounds, arguments.quick))
            if path and entry:
                _keep(path, name, entry)


if __name__ == "__main__":
    main()
