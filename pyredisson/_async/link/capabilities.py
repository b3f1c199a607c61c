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
    """Return whether an error says, in whatever words, that a command cannot be used."""
    return isinstance(error, ReplyError) and is_of_command(f"{error.code} {error}")


class ServerRejections:
    """What the servers of one client reject."""

    def __init__(self) -> None:
        self._table = Capabilities()
        self.whole_scripts = False
        """Whether EVALSHA was rejected, and has not been accepted since."""

    def __contains__(self, what: str) -> bool:
        """Return whether something was rejected, and has not been accepted since."""
        return what in self._table

    def now(self, what: str) -> bool:
        """Return whether something was rejected so recently that it is not tried again yet."""
        return bool(self._table) and self._table.lacks(what, monotonic())

    def note(self, what: str, error: object) -> None:
        """Note a rejection: it is not tried again for a while. Only the first one is logged."""
        is_new = self._table.refused(what, monotonic())
        self.whole_scripts = "EVALSHA" in self._table
        if is_new:
            level = logging.WARNING if what in LOUD else logging.INFO
            log.log(level, "%s is rejected (%s): %s", what, error, CONSEQUENCES[what])

    def note_if_missing(self, what: str, error: BaseException) -> bool:
        """Note that a server lacks something, and return True, if that is what the error says.

        A command that an ACL rejects is not missing: the permission can be granted.
        """
        missing = _is_missing(error)
        if missing:
            self.note(what, error)
        return missing

    def granted(self, what: str) -> None:
        """Note that something was accepted; log it if that ends a rejection."""
        seconds = self._table.granted(what, monotonic()) if self._table else None
        self.whole_scripts = self.whole_scripts and "EVALSHA" in self._table
        if seconds is not None:
            level = logging.WARNING if what in LOUD else logging.INFO
            log.log(level, "%s is allowed again after %.1f s", what, seconds)

    def words(self, operation: Operation[Any]) -> tuple[Arg, ...]:
        """Return what to send: the whole script if EVALSHA is rejected.

        Behind a wait it is never tried again, since the wait has moved an element by then.
        """
        if "EVALSHA" in self._table and (operation.ahead or self.now("EVALSHA")):
            return operation.fallback() or operation.request()
        return operation.request()

    def note_notification(self, error: NotNotifiedError) -> bool:
        """Note that a server has no PUBLISH, if a notification was rejected for that reason."""
        text = error.refusal
        missing = "(PUBLISH " in text and is_of_command(text) and not is_denied(text)
        if missing:
            self.note("PUBLISH", text)
        return missing


def _is_missing(error: BaseException) -> bool:
    """Return whether the server lacks a command: no ACL and no script of ours rejects it."""
    denied = isinstance(error, NoPermissionError) or is_of_script(str(error))
    return refused(error) and not denied


def may_lack_evalsha(error: BaseException, operation: Operation[Any]) -> bool:
    """Return whether EVALSHA itself may have been rejected, and not a command in the script."""
    return not operation.ahead and operation.fallback() is not None and _is_missing(error)


_UNKNOWN_SHA = "0" * 40


async def lacks_evalsha_async(server: AsyncServer | None, key: str) -> bool:
    """Return whether a server lacks EVALSHA, by calling it with a digest that no script has.

    Sending the operation by EVAL at once could run it twice, if the error came after it had run.
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
    """Raise an error, after adding what it means and what to do."""
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
    """Add to an error reply what it means and what to do, if that is known."""
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
