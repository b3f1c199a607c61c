"""Parts of the dashboard that need no Redis: bars, history, troubles, shared replies, tokens."""

from concurrent.futures import Future

import pytest

from pyredisson.admin.watch import Watched
from pyredisson.dashboard import history, throttle
from pyredisson.dashboard.chart import _edges
from pyredisson.dashboard.history import History
from pyredisson.dashboard.source import Shared
from pyredisson.dashboard.throttle import Throttle
from pyredisson.dashboard.trouble import trouble_of
from pyredisson.protocol.checks.stats import QueueStats
from tests.support.rows import each_row

DAY = 86_400_000


@each_row("span", [-5, 0, 1, 999, 60_000, DAY, 30 * DAY, 40_000 * DAY])
def test_bars_are_round_and_few(span: float) -> None:
    now = 1_795_664_496_256.0
    edges = _edges(now, now + span)
    assert edges[0] == now
    assert edges[-1] >= now + span
    assert edges == sorted(set(edges))
    assert len(edges) < 60
    assert all(each % 1000 == 0 for each in edges[1:] if span < 365 * DAY)


def stats(**given: float) -> QueueStats:
    known: dict[str, float] = {"pending": 0, "due": 0, "oldest_overdue": 0, "ready": 0}
    known |= {"in_progress": 0, "dead": 0, "poison": 0, "paused": False} | given
    return QueueStats("q", **known)  # type: ignore[arg-type]  # of several types


def test_a_history_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(history, "monotonic", lambda: now)
    points = History()
    for second in range(1000):
        now = 1000.0 + second
        points.add([("q", stats())] if second < 900 else [("other", stats())])
    assert len(points.of("q")["seconds"]) <= 61
    assert points.of("q")["seconds"][-1] == pytest.approx(-100, abs=6)
    now += 400
    points.add([])
    assert points.of("q") == {"seconds": [], "pending": [], "ready": [], "overdue": []}
    assert not points._points


@each_row(
    ("given", "level", "text"),
    [
        ({}, 0, ""),
        ({"pending": 5, "subscribers": 1}, 0, ""),
        ({"pending": 5, "subscribers": 0}, 2, "no transfer task"),
        ({"pending": 5, "due": 5, "oldest_overdue": 20, "subscribers": 0}, 3, "due items: 5"),
        ({"pending": 5, "due": 5, "oldest_overdue": 20, "subscribers": 1}, 0, ""),
        ({"pending": 5, "due": 5, "oldest_overdue": 70, "subscribers": 1}, 2, "due items: 5"),
        ({"ready": -1}, 3, "another type"),
        ({"dead": 1}, 2, "1 dead letter"),
        ({"dead": 2, "paused": True}, 2, "2 dead letters"),
        ({"poison": 1}, 2, "poison"),
        ({"paused": True}, 1, "paused"),
    ],
)
def test_troubles(given: dict[str, float], level: int, text: str) -> None:
    seen = Watched("q", stats(**given), None, None, None)
    found, reasons = trouble_of(seen)
    assert found == level
    assert text in (reasons[0] if reasons else "")


def test_shared_request_is_sent_once_for_all_callers() -> None:
    asked: list[Future[int]] = []

    def start() -> Future[int]:
        asked.append(Future())
        return asked[-1]

    shared = Shared(start, 60)
    assert shared.get() is shared.get() is asked[0]
    asked[0].set_result(1)
    assert shared.get() is asked[0]
    assert shared.get(0) is asked[1]
    asked[1].cancel()
    assert shared.get() is asked[2]


def test_wrong_tokens_of_many_addresses_slow_down_all(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 5000.0
    monkeypatch.setattr(throttle, "monotonic", lambda: now)
    guesses = Throttle()
    for each in range(100):
        assert guesses.wait(str(each)) == 0
        guesses.failed(str(each))
    assert guesses.wait("another") > 0
    now += 61
    assert guesses.wait("another") == 0
    for each in range(2000):
        guesses.failed(str(each))
    assert len(guesses._of) == 1000
