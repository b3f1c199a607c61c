"""Runs every feature once against a server, with asyncio and with threads, and prints what works.

    scripts/smoke redis://host:6379/0           your own server; it writes keys named smoke-*
    scripts/smoke --profile "no TIME"           an emulated server; --list prints the profiles
    scripts/smoke redis://... --variant sync    one variant: sync or async
    scripts/smoke redis://... --only "worker"   the steps whose names contain this text

A step is ok, refused (the server rejects it, and the error says what to do), or failed. The exit
code is 0 if no step failed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import asdict, replace
from functools import partial
from importlib import import_module

from pyredisson import AsyncRedisson, Redisson
from pyredisson._transport.settings import parsed_url
from pyredisson.cli.basic import without_passwords
from tests._async.smoke.run import smoke_async
from tests._async.smoke.steps import chosen_async
from tests._sync.smoke.run import smoke
from tests._sync.smoke.steps import chosen
from tests.support.gateway import emulated
from tests.support.profiles import PROFILES, Profile
from tests.support.smoking import Result, line, table

VARIANTS = ("async", "sync")


def run(
    variant: str,
    url: str,
    profile: Profile,
    words: argparse.Namespace,
    seen: Callable[[Result], object],
) -> list[Result]:
    """Run the selected steps in one variant."""
    rest, options, only = profile.rest, profile.options, words.only
    if variant == "async":
        make = partial(AsyncRedisson.from_url, url, **options)
        loop = import_module(words.loop).new_event_loop if words.loop else None
        with asyncio.Runner(loop_factory=loop) as runner:
            return runner.run(smoke_async(make, url, chosen_async(only), rest=rest, seen=seen))
    client = partial(Redisson.from_url, url, **options)
    return smoke(client, url, chosen(only), rest=rest, seen=seen)


def arguments() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="scripts/smoke",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("url", nargs="?", help="redis://, rediss:// or unix://")
    parser.add_argument("--profile", choices=PROFILES, metavar="NAME", help="emulate this server")
    parser.add_argument("--list", action="store_true", help="print the profiles and the steps")
    parser.add_argument("--variant", choices=VARIANTS, help="default: both")
    parser.add_argument("--only", default="", help="the steps whose names contain this text")
    parser.add_argument("--idle", type=float, help="seconds after which idle flows are dropped")
    parser.add_argument("--loop", metavar="MODULE", help="a module with an event loop, as uvloop")
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    return parser


def main(given: Sequence[str] | None = None) -> int:
    """Parse the command line, run the steps, and print the results."""
    parser = arguments()
    words = parser.parse_args(given)
    if words.list:
        print("profiles:", *PROFILES, "", "steps:", *chosen(""), sep="\n")
        return 0
    show: Callable[[str], object] = _quiet if words.json else partial(print, flush=True)
    logging.basicConfig(level=logging.CRITICAL)
    found: dict[str, list[Result]] = {}
    profile = PROFILES[words.profile or "plain"]
    if words.idle:
        profile = replace(profile, idle=words.idle)
    with ExitStack() as stack:
        url = words.url
        if words.profile:
            url = stack.enter_context(emulated(profile)).url
        if url is None:
            parser.error("pass a URL or --profile")
        try:
            parsed_url(url, "the URL")
        except ValueError as error:
            parser.error(str(error))
        for variant in [words.variant] if words.variant else VARIANTS:
            show(f"{variant}, {without_passwords(url)}")
            found[variant] = run(variant, url, profile, words, lambda one: show(line(one)))
            show(table(found[variant]))
    if words.json:
        print(json.dumps({each: [asdict(one) for one in ones] for each, ones in found.items()}))
    return int(any(one.outcome == "failed" for ones in found.values() for one in ones))


def _quiet(_line: str) -> None:
    """Print nothing."""


if __name__ == "__main__":
    sys.exit(main())
