"""Run the soak: ``scripts/soak [--minutes N] [--items N] [--seed N] [--json FILE] [--java]``."""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from interop.soak.faults import FAULTS
from interop.soak.notes import Notes, read
from interop.soak.stage import Stage

CAST = {"producer": 3, "worker": 4}


def torment(stage: Stage, seconds: float, items: int, chance: random.Random) -> Counter[str]:
    """Do harm for so long, and until so many items are offered; how often each fault was done."""
    done: Counter[str] = Counter()
    end = time.monotonic() + seconds
    shown = time.monotonic()
    while (enough := time.monotonic() >= end) is False or items:
        time.sleep(chance.uniform(0.5, 2.5))
        fault = chance.choice(FAULTS)
        fault(stage, chance)
        done[fault.__name__] += 1
        if time.monotonic() - shown > 15 or enough:
            shown = time.monotonic()
            offered = sum(read(stage.directory)["o"].values())
            print(f"  {offered} offered, {done.total()} faults", flush=True)
            if enough and offered >= items:
                break
    return done


def account(stage: Stage) -> dict[str, Any]:
    """Say of every item where it is."""
    notes, left = read(stage.directory), stage.left()
    offered, handled = set(notes["o"]), notes["h"]
    places = [*handled, *left["pending"], *left["dead"]]
    where = set(places)
    return {
        "offered": len(offered),
        "acknowledged": len(offered & (set(handled) - set(left["pending"]))),
        "pending": len(left["pending"]),
        "dead": len(left["dead"]),
        "lost": len(offered - where),
        "unknown": len(set(notes["i"]) - offered),
        "never_offered": len(where - set(notes["i"])),
        "duplicates": handled.total() - len(handled),
        "leases_ended": notes["d"].total() - len(notes["d"]) - notes["f"].total(),
        "lost_examples": sorted(offered - where)[:10],
    }


def java_producer(stage: Stage, stack: ExitStack) -> None:
    """Let Java offer beside the others, and move some items to a list of its own."""
    from interop.soak.java import JavaActor

    stack.enter_context(JavaActor(stage.server.url, Notes(stage.directory / "java.notes")))


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--items", type=int, default=0, help="go on until so many are offered")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--json", type=Path)
    parser.add_argument("--java", action="store_true", help="Java offers and takes as well")
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}")
    began = time.monotonic()
    with Stage(CAST) as stage, ExitStack() as stack:
        if arguments.java:
            java_producer(stage, stack)
        chance = random.Random(arguments.seed)
        faults = torment(stage, arguments.minutes * 60, arguments.items, chance)
        stage.end("producer")
        stack.close()
        settled = stage.settle(120)
        codes = stage.end("worker")
        report = account(stage) | {
            "seed": arguments.seed,
            "seconds": round(time.monotonic() - began),
            "settled": settled,
            "worker_exit_codes": codes,
            "faults": dict(faults),
        }
        said = stage.logs()
    text = json.dumps(report, indent=2)
    print(text)
    if arguments.json:
        arguments.json.write_text(text + "\n")
    if report["lost"] or report["never_offered"] or any(codes):
        print(said[-5000:], file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
