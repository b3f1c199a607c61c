"""Every operation of RDelayedQueue: Java's and pyredisson's scripts execute the same commands.

Both start from the same bytes. Their commands, the keys that they leave and their results are
compared. Where pyredisson differs on purpose, the case says why and lists both sides.
"""

from collections.abc import Iterator

import pytest
import redis

from interop.tests.conftest import Peers
from interop.tests.support.fleet import connect
from interop.tests.support.item_cases import LOOKING, OFFERING, REMOVING, TAKING
from interop.tests.support.object_cases import EXPIRING, WHOLE
from interop.tests.support.pair import RELEASES, Case, Pair
from interop.tests.support.state import now_ms
from tests.support.server import RedisServer

CASES = [*OFFERING, *TAKING, *LOOKING, *REMOVING, *EXPIRING, *WHOLE]


@pytest.fixture(scope="module")
def pair(request: pytest.FixtureRequest, java: Peers, shared_server: RedisServer) -> Iterator[Pair]:
    release: str = request.param
    with connect(java(release), shared_server.url, codec="String") as client:
        yield Pair(shared_server, client, release)


@pytest.mark.parametrize(
    ("pair", "case"),
    [
        pytest.param(release, case, id=f"{release}-{case.id}")
        for release in RELEASES
        for case in CASES
        if release in case.releases
    ],
    indirect=["pair"],
)
def test_same_commands_same_keys_same_result(case: Case, pair: Pair) -> None:
    case.check(pair.java(case), pair.python(case))


@pytest.mark.parametrize("pair", RELEASES, indirect=True)
@pytest.mark.parametrize("seconds_", [90.5, 3 * 86400])
def test_an_item_is_due_at_its_delay_from_now(pair: Pair, seconds_: float) -> None:
    """Not so soon that Java's transfer is in the recording."""
    millis = int(seconds_ * 1000)
    case = Case("", "", ("offer", "x", millis, "MILLISECONDS"), lambda d: d.offer("x", seconds_))
    with redis.Redis(port=pair.server.port) as raw:
        for run in (pair.java, pair.python):
            earliest = now_ms(raw)
            (score,) = run(case).moments
            latest = now_ms(raw)
            # Both round: Java down to its clock's millisecond, Python up. Python is late by what
            # the question for the time took.
            late = 1 + latest - earliest
            assert earliest <= score - millis <= latest + late
