"""What a smoke run is made of, the same with asyncio and with threads: results, and what counts.

Rule: a step works without `assert`, so that the run says the same under `python -O`.
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
"""The safety interval of the client. What comes only after it was announced to nobody."""
PROMPT = SAFETY / 3
"""So late may come, on a busy machine, what was announced."""
POLL = 1.0
"""The safety interval of clients that poll: the lateness that is promised without announcements."""
SLICE = 2.0
"""The longest wait on the server. A message that an idle consumer gets only after it is late."""
STEP_SECONDS = 60.0
"""A step that takes longer has failed."""

Outcome = Literal["ok", "refused", "failed"]
_REMEDY = re.compile(
    r"\b(needs?|use|set|make|give|pass|grant|start|allow|upgrade)\b|not available on this server"
)


class Unexpected(Exception):  # noqa: N818 - a finding, like an assertion
    """A step came to another end than it should."""


@dataclass(frozen=True)
class Result:
    """How a step ended, and what it said."""

    step: str
    outcome: Outcome
    seconds: float
    late: float | None = None
    note: str = ""


def same(found: Any, wanted: Any) -> None:
    """End the step unless both are equal."""
    if found != wanted:
        raise Unexpected(f"{found!r} instead of {wanted!r}")


def holds(condition: bool, what: str) -> None:
    """End the step unless something is so."""
    if not condition:
        raise Unexpected(f"not so: {what}")


def outcome_of(error: BaseException) -> Outcome:
    """Tell a refusal from a failure: it is the server's or ours, and says what to do."""
    if isinstance(error, (RedisError, RedissonError, TypeError)) and _REMEDY.search(str(error)):
        return "refused"
    return "failed"


def told(error: BaseException) -> str:
    """The error in one line."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}"


def started(*command: str) -> subprocess.Popen[str]:
    """Start another process, whose words are kept."""
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def line(result: Result) -> str:
    """One result, for a person."""
    late = "" if result.late is None else f"late by {result.late:.2f} s"
    end = "; ".join(filter(None, (late, result.note)))
    return f"  {result.step:30} {result.outcome:7} {result.seconds:6.2f} s  {end}".rstrip()


def table(results: Sequence[Result]) -> str:
    """How many of each, for a person."""
    count = Counter(each.outcome for each in results)
    return f"  {len(results)} steps: " + ", ".join(f"{n} {kind}" for kind, n in count.items())


def surprises(results: Sequence[Result], refused: Mapping[str, str]) -> list[str]:
    """What ended otherwise than a profile says, by steps that end with certain words there."""
    found = []
    for each in results:
        words = refused.get(each.step)
        wanted = "ok" if words is None else "refused"
        if each.outcome != wanted or (words is not None and words not in each.note):
            found.append(f"{line(each).strip()} (instead of {wanted} {words or ''})")
    return found
