"""The counts of a queue, from the reply of the script."""

from typing import Any

import pytest

from pyredisson.protocol.checks.stats import QueueStats, stats_of
from pyredisson.protocol.kernel.names import ConsumerNames


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (
            [10_000, 3, 1, b"8500", 4, 1, 2, 5, 6, 1],
            QueueStats("q", 3, 1, 1.5, 5, 2, 5, 6, paused=True),
        ),
        (
            [10_000, 1, 0, b"10001", 0, 0, 0, 0, 0, 0],
            QueueStats("q", 1, 0, 0.0, 0, 0, 0, 0, paused=False),
        ),
        (
            [10_000, -1, -1, None, -1, 2, -1, -1, -1, 0],
            QueueStats("q", -1, -1, 0.0, -1, -1, -1, -1, paused=False),
        ),
    ],
)
def test_the_reply(reply: list[Any], expected: QueueStats) -> None:
    assert stats_of(ConsumerNames.of("q")).decode(reply) == expected
