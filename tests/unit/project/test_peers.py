"""The measurement of other task queues: offered tasks, and runs that count as received."""

import time
from pathlib import Path

import pytest

from benchmarks.peers import environments
from benchmarks.peers.client import Answer, Order, tasks
from benchmarks.peers.contestants import PEERS, Peer
from benchmarks.peers.processes import Stage
from tests.support.rows import each_row


@each_row("peer", PEERS, ids=lambda peer: peer.name)
def test_each_peer_can_be_installed_and_run(peer: Peer) -> None:
    apps = Path(environments.__file__).parent / "apps"
    assert (apps / f"{peer.name}.py").exists()
    assert bool(environments.needs(peer)) is not peer.ours


def test_a_peer_is_installed_with_its_own_lines() -> None:
    named = {peer.name: environments.needs(peer) for peer in PEERS}
    assert [line.split("==")[0] for line in named["taskiq"]] == ["taskiq", "taskiq-redis"]
    assert [line.split("==")[0] for line in named["rq"]] == ["rq"]


def test_all_peers_are_offered_the_same_moments() -> None:
    order, answers = Order(count=50, after=1, span=5), (Answer(), Answer())
    for answer in answers:
        assert [number for number, _ in tasks(order, answer)] == list(range(50))
    first, second = ([due - answer.dues[0] for due in answer.dues] for answer in answers)
    assert first == pytest.approx(second, abs=1e-5)
    assert max(answers[0].dues) - min(answers[0].dues) < 5


def test_offers_end_in_time() -> None:
    answer = Answer()
    offers = list(tasks(Order(count=10**9, after=0, seconds=0.05), answer))
    assert 0 < len(answer.dues) == len(offers) < 10**9
    assert answer.seconds >= 0.05


def test_duplicate_run_does_not_replace_a_missing_run(tmp_path: Path) -> None:
    stage = Stage(PEERS[0], "redis://unused", tmp_path)
    assert stage.received(1, until=0) == []
    (tmp_path / "received").write_text("0 1.5\n1 2.5\n1 3.5\n")
    runs = [(0, 1.5), (1, 2.5), (1, 3.5)]
    assert stage.received(2, until=time.time() + 60) == runs
    until = time.time() + 0.1
    assert stage.received(3, until) == runs
    assert time.time() > until
