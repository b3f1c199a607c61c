"""What the servers of a client do not let it use, and what is said of it.

The rule: it is said once, and once that it is back; `protocol/capabilities` decides the rest.
"""

from __future__ import annotations

import logging
from typing import Any

from pyredisson._async.link.server import AsyncServer
from pyredisson._runtime.concurrency import monotonic
from pyredisson.errors import NotNotifiedError
from pyredisson.protocol.kernel.capabilities import (
    CONSEQUENCES,
    LOUD,
    Capabilities,
    explained,
    is_denied,
    is_of_command,
    is_of_script,
    is_out_of_date,
    version_of,
)
from pyredisson.protocol.kernel.command import Arg, Operation
from pyredisson.protocol.kernel.next_step import Outcome
from pyredisson.protocol.kernel.run_id import ASK
from pyredisson.server_errors import (
    CrossSlotError,
    NoPermissionError,
    ReplyError,
    ServerError,
)

log = logging.getLogger("pyredisson")


def refused(error: BaseException) -> bool:
    """Tell whether a server does not let us use a command, in whatever words."""
    return isinstance(error, ReplyError) and is_of_command(f"{error.code} {error}")


class ServerCapabilities:
    """What the servers of one client refuse."""

    def __init__(self) -> None:
        self._table = Capabilities()

    def __contains__(self, what: str) -> bool:
        """Tell whether something was refused, and was not granted since."""
        return what in self._table

    def now(self, what: str) -> bool:
        """Tell whether to do without something: it was refused a short time ago."""
        return bool(self._table) and self._table.lacks(what, monotonic())

    def note(self, what: str, error: object) -> None:
        """Do without something from now on; it is said once."""
        if self._table.refused(what, monotonic()):
            level = logging.WARNING if what in LOUD else logging.INFO
            log.log(level, "%s is refused (%s): %s", what, error, CONSEQUENCES[what])

    def missing(self, what: str, error: BaseException) -> bool:
        """Note that a server lacks something, if that is what an error says.

        What an ACL refuses is not lacking: it can be granted.
        """
        missing = _is_missing(error)
        if missing:
            self.note(what, error)
        return missing

    def granted(self, what: str) -> None:
        """Say that something is there again, if that is news."""
        if self._table and (seconds := self._table.granted(what, monotonic())) is not None:
            level = logging.WARNING if what in LOUD else logging.INFO
            log.log(level, "%s is allowed again after %.1f s", what, seconds)

    def words(self, operation: Operation[Any]) -> tuple[Arg, ...]:
        """Return what to send: a script whole where EVALSHA is refused.

        What waits ahead of a script has moved something by then, so there nothing is tried.
        """
        if "EVALSHA" in self._table and (operation.ahead or self.now("EVALSHA")):
            return operation.fallback() or operation.request()
        return operation.request()

    def judged(self, doubt: Exception, outcome: Outcome, reply: Any) -> Any:
        """Learn from EVAL whether EVALSHA is lacking; where EVAL is refused, too, return that."""
        if outcome is Outcome.REPLY or (outcome is Outcome.REFUSED and is_of_script(str(reply))):
            self.note("EVALSHA", doubt)
        elif outcome is Outcome.REFUSED and refused(reply):
            return doubt
        return reply

    def notification(self, error: NotNotifiedError) -> bool:
        """Note that a server has no PUBLISH, if that is why a notification was refused."""
        text = error.refusal
        missing = "(PUBLISH " in text and is_of_command(text) and not is_denied(text)
        if missing:
            self.note("PUBLISH", text)
        return missing


def _is_missing(error: BaseException) -> bool:
    """Tell whether a command is not there, as such: neither denied by an ACL, nor in a script."""
    denied = isinstance(error, NoPermissionError) or is_of_script(str(error))
    return refused(error) and not denied


def may_lack_evalsha(error: BaseException, operation: Operation[Any]) -> bool:
    """Tell whether EVALSHA itself may have been refused, and not what the script does."""
    return not operation.ahead and operation.fallback() is not None and _is_missing(error)


async def explain_async(
    error: BaseException, operation: Operation[Any], server: AsyncServer | None
) -> None:
    """Say in an error reply what it means and what to do, where that is known."""
    if isinstance(error, NoPermissionError):
        return
    if not refused(error) and not isinstance(error, CrossSlotError):
        return
    text, version = str(error), None
    if server is not None and is_out_of_date(text):
        try:
            version = version_of(await server.call(*ASK))
        except (ServerError, OSError):
            version = None
    error.args = (explained(text, operation, version),)
