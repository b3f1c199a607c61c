"""Running the model: so many examples, the same each time, or others by a seed."""

from collections.abc import Iterator
from contextlib import contextmanager

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.support.consumer_model.faulty import Freezing, Moving
from tests.support.consumer_model.machine import Machine
from tests.support.consumer_model.rig import Clustered, Single


@contextmanager
def on_a_server() -> Iterator[type[Machine]]:
    """Return the model of one server, which runs as long as this is entered."""
    with Single() as Freezing.rig:
        yield Freezing


@contextmanager
def on_a_cluster() -> Iterator[type[Machine]]:
    """Return the model of a cluster, which runs as long as this is entered."""
    with Clustered() as Moving.rig:
        yield Moving


def explore(machine: type[Machine], *, examples: int, steps: int, of: int | None = None) -> None:
    """Run examples of up to so many steps, by a seed; without one the same each time.

    With a seed it looks for fewer steps that fail, which takes up to five minutes.

    Raises:
        AssertionError: a message is lost, or twice, or not where it should be; the steps that lead
            there are printed.
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
