"""Which commands the servers of a client reject, and what is logged about it.

The rule: a rejection is logged once, and so is its end. `protocol/kernel/capabilities` decides the
rest.
"""

from __future__ import annotations

import logging
from typing import Any, NoReturn

from pyredisson._async.link.server import AsyncServer
from pyredisson._runtime.concurrency import monotonic
from pyredisson._transport.errors import connection_error
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
    perhaps_too_long,
    version_of,
)
from pyredisson.protocol.kernel.command import Arg, Operation
from pyredisson.protocol.kernel.next_step import REDIRECTS, Outcome
from pyredisson.protocol.kernel.permissions import explain_missing
from pyredisson.protocol.kernel.run_id import ASK
from pyredisson.server_errors import (
    CrossSlotError,
    NoPermissionError,
    NoScriptError,
    ReplyError,
    ServerError,
)

log = logging.getLogger("pyredisson")


def refused(error: BaseException) -> bool:
    """Return whether an error reply can mean that a command was rejected; see `is_of_command`."""
    return isinstance(error, ReplyError) and is_of_command(f"{error.code} {error}")


class ServerRejections:
    """The commands that the servers of one client reject."""

    def __init__(self) -> None:
        self._table = Capabilities()
        self.whole_scripts = False
        """Whether a server rejected EVALSHA, and none has accepted it since."""

    def __contains__(self, what: str) -> bool:
        """Return whether a server rejected `what`, and none has accepted it since."""
        return what in self._table

    def now(self, what: str) -> bool:
        """Return whether to do without `what`: a server rejected it less than 30 s ago."""
        return bool(self._table) and self._table.lacks(what, monotonic())

    def note(self, what: str, error: object) -> None:
        """Note a rejection of `what`; log the first one, and the first one after each success."""
        is_new = self._table.refused(what, monotonic())
        self.whole_scripts = "EVALSHA" in self._table
        if is_new:
            level = logging.WARNING if what in LOUD else logging.INFO
            log.log(level, "%s is rejected (%s): %s", what, error, CONSEQUENCES[what])

    def note_if_missing(self, what: str, error: BaseException) -> bool:
        """If an error means that a server does not have `what`, note this and return True.

        A command that an ACL rejects does not count: a user can grant the permission.
        """
        missing = _is_missing(error)
        if missing:
            self.note(what, error)
        return missing

    def granted(self, what: str) -> None:
        """Note that a server accepted `what`; log the end of a rejection."""
        seconds = self._table.granted(what, monotonic()) if self._table else None
        self.whole_scripts = self.whole_scripts and "EVALSHA" in self._table
        if seconds is not None:
            level = logging.WARNING if what in LOUD else logging.INFO
            log.log(level, "%s is allowed again after %.1f s", what, seconds)

    def words(self, operation: Operation[Any]) -> tuple[Arg, ...]:
        """Return the words to send: EVAL with the whole script if `now("EVALSHA")` is True.

        For a script that is sent after a wait (`ahead`), return EVAL until another operation has
        found that a server accepts EVALSHA. Otherwise a server could reject the script after the
        wait has moved an element, and nothing would take the element.
        """
        if "EVALSHA" in self._table and (operation.ahead or self.now("EVALSHA")):
            return operation.fallback() or operation.request()
        return operation.request()

    def note_notification(self, error: NotNotifiedError) -> bool:
        """If an error means that a server does not have PUBLISH, note this and return True."""
        text = error.refusal
        missing = "(PUBLISH " in text and is_of_command(text) and not is_denied(text)
        if missing:
            self.note("PUBLISH", text)
        return missing


def _is_missing(error: BaseException) -> bool:
    """Return whether an error means that a server does not have a command.

    Errors of an ACL, and of a command in a script, have another meaning.
    """
    denied = isinstance(error, NoPermissionError) or is_of_script(str(error))
    return refused(error) and not denied


def may_lack_evalsha(error: BaseException, operation: Operation[Any]) -> bool:
    """Return whether EVALSHA itself may have been rejected, and not a command in the script."""
    return not operation.ahead and operation.fallback() is not None and _is_missing(error)


_UNKNOWN_SHA = "0" * 40


async def lacks_evalsha_async(server: AsyncServer | None, key: str) -> bool:
    """Return whether a server rejects an EVALSHA whose digest no script has.

    Return False if `server` is None, or if no reply comes. Without this check, an operation whose
    error came after its script had run would be sent again by EVAL, and would run twice.
    """
    if server is None:
        return False
    try:
        await server.call("EVALSHA", _UNKNOWN_SHA, 1, key)
    except NoScriptError:
        return False
    except ReplyError as error:
        return _is_missing(error)
    except (ServerError, OSError):
        return False
    return False


async def fail_async(
    operation: Operation[Any], outcome: Outcome, error: Exception, server: AsyncServer | None
) -> NoReturn:
    """Raise the error of the last attempt, after adding its meaning and a remedy, if known.

    After a lost reply, raise the error that `operation.lost` makes instead, if this is not None.
    After too many redirections, raise a ServerConnectionError.
    """
    await _explain(error, operation, server)
    if isinstance(error, NoPermissionError):
        error.args = (explain_missing(str(error), operation),)
    if outcome is Outcome.LOST:
        if hint := perhaps_too_long(operation):
            error.args = (f"{error}{hint}",)
        if operation.lost is not None:
            raise operation.lost(error) from error
    if outcome in (Outcome.MOVED, Outcome.ASK):
        raise connection_error(
            f"redirected more than {REDIRECTS} times for {operation.key!r}; check CLUSTER SLOTS"
        ) from error
    raise error


async def _explain(
    error: BaseException, operation: Operation[Any], server: AsyncServer | None
) -> None:
    """Add to an error reply its meaning and a remedy, if they are known."""
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
