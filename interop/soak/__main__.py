"""Disturb producers, workers and servers for a while, and account for every item."""

from __future__ import annotations

import argparse
import json
import platform
import random
import signal
import sys
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import redis

from interop.soak.faults import PROMOTIONS, Fault, faults_of
from interop.soak.java import JavaActor
from interop.soak.notes import Notes, Offered, read
from interop.soak.places import PLACES, TICKS, Single
from interop.soak.stage import Stage
from pyredisson.protocol.kernel.names import ConsumerNames

CAST = {
    "producer": 2,
    "worker": 2,
    "async_worker": 1,
    "consumer": 1,
    "forker": 1,
    "ticker": 1,
    "transferrer": 1,
}
JAVA = 2
"""Threads of Java that offer."""
_HANDLING = tuple(kind for kind in CAST if kind != "producer")


def torment(stage: Stage, seconds: float, items: int) -> Counter[str]:
    """Cause faults for `seconds`, and until `items` are offered; return how often each came."""
    done: Counter[str] = Counter()
    began = shown = time.monotonic()
    offered, faults = Offered(stage.directory), faults_of(stage.place)
    todo: list[Fault] = []
    while True:
        time.sleep(stage.chance.uniform(0.5, 2.5))
        stage.watch(planned=False)
        todo = todo or stage.chance.sample(faults, len(faults))  # each once, then all again
        fault = todo.pop()
        fault(stage)
        done[fault.__name__] += 1
        stage.watch(planned=fault in PROMOTIONS)
        now = time.monotonic()
        enough = now >= began + seconds
        if enough or now - shown > 15:
            shown, count = now, offered.count()
            print(f"  {now - began:.0f} s: {count} offered, {done.total()} faults", flush=True)
            if enough and count >= items:
                return done


def account(stage: Stage) -> dict[str, Any]:
    """Count the items by where they are: dead, else pending, else acknowledged, else lost."""
    notes, left = read(stage.directory), stage.left()
    offered, moved = set(notes["o"]), Counter(left["java"])
    handled, delivered = notes["h"] + moved, notes["d"] + moved
    dead, pending = set(left["dead"]), set(left["pending"])
    where = dead | pending | set(handled)
    first = notes["a"] - notes["g"]
    once = {value for value, count in first.items() if count > 1} - set(notes["u"])
    return {
        "offered": len(offered),
        "acknowledged": len(offered & set(handled) - pending - dead),
        "pending": len(offered & pending - dead),
        "dead": len(offered & dead),
        "lost": len(offered - where),
        "unknown": len(set(notes["i"]) - offered),
        "never_offered": len(where - set(notes["i"])),
        "duplicates": handled.total() - len(handled),
        "leases_ended": (delivered - notes["f"] - Counter(set(delivered))).total(),
        "offered_again": len(notes["u"]),
        "copies": len(once),
        "lost_examples": sorted(offered - where)[:10],
        "copies_examples": sorted(once)[:10],
        "java_moved": len(left["java"]),
    }


def ticks(stage: Stage) -> dict[str, int]:
    """Count items that are all equal: each offered one is acknowledged, or still in the queue.

    If an actor ended between its step and its note, both may be true.
    """
    counts: Counter[str] = Counter()
    for note, times in read(stage.directory)["t"].items():
        counts[note.rstrip("0123456789")] += times
    left = stage.left([ConsumerNames.of(TICKS)])
    there = len(left["pending"]) + len(left["dead"])
    unknown = counts["acking"] - counts["acked"] - counts["late"]
    return {
        "ticks_offered": counts["offered"],
        "ticks_acknowledged": counts["acked"],
        "ticks_left": there,
        "ticks_lost": max(0, counts["offered"] - counts["acked"] - unknown - there),
        "ticks_copied": max(0, counts["acked"] + there - counts["begun"]),
    }


def _words() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/soak", description=__doc__)
    parser.add_argument("--on", choices=PLACES, default="server", help="what is tormented")
    parser.add_argument("--tls", action="store_true", help="with client certificates; one server")
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--items", type=int, default=0, help="go on until so many are offered")
    parser.add_argument("--rate", type=float, default=3000, help="items a second of each producer")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--json", type=Path, help="where to write the report")
    parser.add_argument("--java", action="store_true", help="Java offers and takes as well")
    parser.add_argument("--model", action="store_true", help="explore the model instead")
    words = parser.parse_args()
    if words.tls and words.on != "server":
        parser.error("--tls is for one server")
    return words


def main() -> None:
    """Run the soak, or explore the model."""
    words = _words()
    print(f"seed {words.seed}", flush=True)
    if words.model:
        from interop.soak import model

        sys.exit(model.run(words.minutes, words.seed))
    began = time.monotonic()
    place = Single(tls=True) if words.tls else PLACES[words.on]()
    with (
        place,
        Stage(place, CAST, random.Random(words.seed), words.rate) as stage,
        ExitStack() as java,
    ):
        if words.java:
            notes = Notes(stage.directory / "java.notes")
            java.enter_context(JavaActor(place.plain, notes, JAVA, words.rate))
        faults = torment(stage, words.minutes * 60, words.items)
        stage.end("producer")
        java.close()
        print("  waiting until nothing is pending", flush=True)
        settled = stage.settle(60)
        codes = [code for kind in _HANDLING for code in stage.end(kind)]
        report = (
            account(stage)
            | ticks(stage)
            | {
                "on": words.on + " with TLS" * words.tls,
                "producers": {"python": CAST["producer"], "java": JAVA * words.java},
                "seed": words.seed,
                "seconds": round(time.monotonic() - began),
                "settled": settled,
                "unplanned_promotions": stage.unplanned,
                "worker_exit_codes": codes,
                "versions": {
                    "server": place.masters[0].run("INFO", "server").split()[2].decode(),
                    "redis-py": redis.__version__,
                    "python": platform.python_version(),
                },
                "faults": dict(sorted(faults.items())),
            }
        )
        said = stage.logs()
    text = json.dumps(report, indent=2)
    print(text)
    if words.json:
        words.json.write_text(text + "\n")
    wrong = ("lost", "never_offered", "copies", "ticks_lost", "ticks_copied")
    ended = {0, -signal.SIGTERM}  # an actor may end before it listens
    if any(report[name] for name in wrong) or not ended.issuperset(codes):
        print(said[-5000:], file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
