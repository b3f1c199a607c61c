"""The cases of the link, which run without a socket, cover each row of `next_step`."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest

from pyredisson._async.link import attempts
from pyredisson.protocol.kernel.command import Operation
from pyredisson.protocol.kernel.next_step import Attempt, Outcome, Step, decide
from tests._async.link.fake_servers import AsyncFakeNet
from tests._async.link.test_link import CASES

ONE = {Outcome.REPLY, Outcome.REFUSED}
"""After these outcomes, `decide` returns at most one kind of step."""


async def test_link_cases_cover_the_whole_table(monkeypatch: pytest.MonkeyPatch) -> None:
    met: set[tuple[Outcome, Step]] = set()

    def noted(operation: Operation[Any], outcome: Outcome, attempt: Attempt) -> Any:
        step, then = decide(operation, outcome, attempt)
        met.add((outcome, step))
        return step, then

    monkeypatch.setattr(attempts, "decide", noted)
    for case in CASES.values():
        with suppress(Exception):
            await AsyncFakeNet(**case.net).link().request(case.operation)
    steps = {outcome: {step for each, step in met if each is outcome} for outcome in Outcome}
    assert all(len(steps[outcome]) == 2 for outcome in set(Outcome) - ONE), (
        "gone on with, and given up"
    )
    assert steps[Outcome.REFUSED] == {Step.RAISE}
    assert {step for _, step in met} == set(Step)
