"""Consumers, workers, transfers and Java against a model of the protocol, with faults."""

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.support.consumer_model.consuming import Consuming
from tests.support.consumer_model.rig import Single


def test_on_a_server() -> None:
    with Single() as Consuming.rig:
        run_state_machine_as_test(
            Consuming,
            settings=settings(
                max_examples=20,
                stateful_step_count=30,
                deadline=None,
                derandomize=True,
                suppress_health_check=list(HealthCheck),
            ),
        )
