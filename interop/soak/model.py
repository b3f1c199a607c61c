"""Explore the model of the consumer protocol, on a server and on a cluster in turn."""

from __future__ import annotations

import itertools
import logging
import time
import traceback

from tests.support.consumer_model.explore import explore, on_a_cluster, on_a_server

__all__ = ["run"]

_EXAMPLES, _STEPS = 20, 50


def run(minutes: float, seed: int) -> int:
    """Explore for `minutes`, seed after seed; return 0, or 1 after printing a seed that failed."""
    logging.getLogger("pyredisson").setLevel(logging.CRITICAL)  # the model finds the errors
    deadline, examples = time.monotonic() + minutes * 60, 0
    for number in itertools.count(seed):
        place = on_a_cluster if number % 3 == 0 else on_a_server
        try:
            with place() as machine:
                explore(machine, examples=_EXAMPLES, steps=_STEPS, of=number)
        except Exception:
            traceback.print_exc()
            print(f"failed: scripts/soak --model --seed {number}")
            return 1
        examples += _EXAMPLES
        print(f"  seed {number}: {examples} examples", flush=True)
        if time.monotonic() >= deadline:
            break
    return 0
