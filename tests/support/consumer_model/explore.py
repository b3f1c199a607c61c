"""Runs a number of examples of the model: the same ones each time, or others by a seed."""

from collections.abc import Iterator
from contextlib import contextmanager

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.support.consumer_model.faulty import Freezing, Moving
from tests.support.consumer_model.machine import Machine
from tests.support.consumer_model.rig import Clustered, Single


@contextmanager
def on_a_server() -> Iterator[type[Machine]]:
    """Yield the model of one server, which runs until the end of the block."""
    with Single() as Freezing.rig:
        yield Freezing


@contextmanager
def on_a_cluster() -> Iterator[type[Machine]]:
    """Yield the model of a cluster, which runs until the end of the block."""
    with Clustered() as Moving.rig:
        yield Moving


def explore(machine: type[Machine], *, examples: int, steps: int, of: int | None = None) -> None:
    """Run examples of up to `steps` steps by a seed; without a seed they are always the same.

    With a seed, hypothesis shrinks a failing example, which takes up to five minutes.

    Raises:
        AssertionError: a message is lost, duplicated, or in a wrong place; the steps are printed.
    """
    chosen = settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        derandomize=of is None,
        database=None,
        phases=[Phase.generate] if of is None else [Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )

    if of is not None:
        seed(of)(machine)
    run_state_machine_as_test(machine, settings=chosen)
