"""Consumers, workers, transfers and Java against a model of the protocol, with faults.

`scripts/soak --model` explores the model for any time.
"""

from tests.support.consumer_model.explore import explore, on_a_cluster, on_a_server


def test_consumers_follow_the_model_on_a_server() -> None:
    """Replies are lost, consumers are forked and forgotten, and the server is frozen."""
    with on_a_server() as machine:
        explore(machine, examples=12, steps=30)


def test_consumers_follow_the_model_in_a_migrating_slot() -> None:
    with on_a_cluster() as machine:
        explore(machine, examples=4, steps=30)
