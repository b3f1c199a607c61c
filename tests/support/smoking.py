"""The parts of a smoke run that the sync and async variants share: results, and their evaluation.

Rule: a step works without `assert`, so that its result is the same under `python -O`.
"""

import re
import subprocess
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from redis.exceptions import RedisError

from pyredisson import RedissonError

SAFETY = 30.0
"""The safety interval of the client. A message that is later than this was not announced."""
PROMPT = SAFETY / 3
"""The allowed lateness of an announced message, on a busy machine."""
POLL = 1.0
"""The safety interval of clients that poll: the guaranteed lateness without announcements."""
SLICE = 2.0
"""The longest wait on the server. A message that reaches an idle consumer after this is late."""
STEP_SECONDS = 60.0
"""A step that takes longer has failed."""

Outcome = Literal["ok", "refused", "failed"]
_REMEDY = re.compile(
    r"\b(needs?|use|set|make|give|pass|grant|start|allow|upgrade)\b|not available on this server"
)


class Unexpected(Exception):  # noqa: N818 - a finding, like an assertion
    """A step had an unexpected result."""


@dataclass(frozen=True)
class Result:
    """The outcome of a step, and its note."""

    step: str
    outcome: Outcome
    seconds: float
    late: float | None = None
    note: str = ""


def same(found: Any, wanted: Any) -> None:
    """Fail the step unless both are equal."""
    if found != wanted:
        raise Unexpected(f"{found!r} instead of {wanted!r}")


def holds(condition: bool, what: str) -> None:
    """Fail the step unless a condition is true."""
    if not condition:
        raise Unexpected(f"not so: {what}")


def outcome_of(error: BaseException) -> Outcome:
    """Return `refused` for errors of redis-py or pyredisson that name a remedy, else `failed`."""
    if isinstance(error, (RedisError, RedissonError, TypeError)) and _REMEDY.search(str(error)):
        return "refused"
    return "failed"


def told(error: BaseException) -> str:
    """Return the error in one line."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}"


def started(*command: str) -> subprocess.Popen[str]:
    """Start another process, and capture its output."""
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def line(result: Result) -> str:
    """Return a result as a line of text."""
    late = "" if result.late is None else f"late by {result.late:.2f} s"
    end = "; ".join(filter(None, (late, result.note)))
    return f"  {result.step:30} {result.outcome:7} {result.seconds:6.2f} s  {end}".rstrip()


def table(results: Sequence[Result]) -> str:
    """Return the number of results of each outcome as a line of text."""
    count = Counter(each.outcome for each in results)
    return f"  {len(results)} steps: " + ", ".join(f"{n} {kind}" for kind, n in count.items())


def surprises(results: Sequence[Result], refused: Mapping[str, str]) -> list[str]:
    """Return results that a profile does not expect; `refused` has the expected errors by step."""
    found = []
    for each in results:
        words = refused.get(each.step)
        wanted = "ok" if words is None else "refused"
        if each.outcome != wanted or (words is not None and words not in each.note):
            found.append(f"{line(each).strip()} (instead of {wanted} {words or ''})")
    return found
