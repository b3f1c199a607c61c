"""Consumers, workers, transfers and Java against a model of the protocol, with faults.

`scripts/soak --model` explores it for as long as one likes.
"""

from tests.support.consumer_model.explore import explore, on_a_cluster, on_a_server


def test_on_a_server() -> None:
    """Replies are lost, consumers forked and forgotten; the server stands still."""
    with on_a_server() as machine:
        explore(machine, examples=12, steps=30)


def test_in_a_slot_that_is_on_its_way() -> None:
    with on_a_cluster() as machine:
        explore(machine, examples=4, steps=30)
