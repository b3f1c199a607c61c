"""Acknowledged consumption of a queue: a consumer has a message for the duration of a lease.

A BLMOVE blocks at the server, and moves the element that ends the wait to the list `arriving`, the
in-transit list. The next command is a script that leases elements of `arriving`, then of the queue.
If a consumer dies between the two commands, the element is in `arriving`, and the next consumer
takes it. The hash `taken` has the record of a leased message under a token that only this delivery
has. The sorted set `leases` has the token with the end of the lease. A requeued message is in the
queue as its plain bytes, which Java can read. Its record is stored under the SHA1 of these bytes.

While the queue is paused, the script requeues the element that BLMOVE has moved. Then the consumer
waits for the end of the pause with a BLMOVE that moves an element from the list `resumed` to the
same list. The end of the pause creates this list for a moment, which wakes all waiting consumers.

The rule: each step is one script, in which the server's clock decides whether a lease has ended.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Any, cast

from pyredisson.protocol.consumers.delivery import Deliveries, Delivery, events_of
from pyredisson.protocol.consumers.in_flight import LASTS
from pyredisson.protocol.dead_letters.dead_letters import encode_reason
from pyredisson.protocol.delayed.entry import WireFormat, legacy_id
from pyredisson.protocol.kernel.command import Arg, Eval
from pyredisson.protocol.kernel.names import ConsumerNames
from pyredisson.protocol.kernel.scripts import load
from pyredisson.protocol.queues.blocking_queue import wire_timeout

__all__ = ["BASE_BYTES", "EXPIRING", "PAUSED", "ConsumerProtocol", "Kept", "read_taken"]

BASE_BYTES = 14
"""Length of the prefix of all tokens of one take: the consumer's number, then random bytes."""

_COUNT_BYTES = 2
"""Length of the number after the prefix in each token; in a take, the numbers begin with 1."""

PAUSED: Sequence[Delivery] = []
"""The result of a take from a paused queue."""

EXPIRING: Sequence[Delivery] = []
"""The result of a take with `expiring=False` from a queue that has items that expire."""


class Kept(IntEnum):
    """What the script of `expire` did with a message."""

    LEASE_ENDED = 0
    EXPIRED = 1
    KEPT = 2
    DROPPED = 3


def read_taken(reply: Any) -> Sequence[Delivery]:
    """Read the reply of a take or a wait; the reply None has no deliveries."""
    if isinstance(reply, bytes):
        return PAUSED if reply == b"paused" else EXPIRING
    reply = reply or [0]
    if isinstance(reply[0], list):  # the time, then the leases that had ended and the expired items
        takings = Deliveries(read_taken([0, *reply[1:]]))
        takings.ended, takings.expired = events_of(reply[0][1:])
        return takings
    return [Delivery.of(reply[i], reply[i + 1]) for i in range(1, len(reply), 2)]


def _truths(reply: Any) -> list[bool]:
    return [bool(done) for done in reply]


@dataclass(frozen=True, slots=True)
class ConsumerProtocol:
    """The operations of a queue's consumers.

    If `due_times` is True, takes read the due times that transfers have stored.
    """

    names: ConsumerNames
    due_times: bool = field(default=False, kw_only=True)

    def take(
        self,
        limit: int,
        lease_ms: int,
        base: bytes,
        *,
        resuming: bool = False,
        expiring: bool = False,
        called: bytes | None = None,
    ) -> Eval[Sequence[Delivery]]:
        """Take up to `limit` messages without waiting.

        The result is `PAUSED` while the queue is paused. The result is `EXPIRING` if items of the
        queue expire and `expiring` is False. In this case, take again with `expiring=True`.

        Args:
            limit: the maximum number of messages. Fewer are taken if they are large: the script
                stops after half a MB.
            lease_ms: the length of their leases, in milliseconds.
            base: the `BASE_BYTES` bytes with which their tokens begin.
            resuming: whether this take follows a wait for the end of a pause.
            expiring: whether to remove items that have expired.
            called: the consumer's number and name. If it is not None and messages are taken, the
                script stores it.
        """
        n = self.names
        own = (n.arriving, n.leases, n.taken, n.returned, n.retried, n.postponed)
        more = n.expiry if expiring else (n.expiring,)
        asked = (n.queue.due,) if self.due_times else ()
        keys = (n.queue.name, *own, n.queue.timeout_set, n.paused, *more, n.consumers, *asked)
        args: tuple[Arg, ...] = (limit, lease_ms, base, int(resuming))
        if called is not None:
            args = (*args, LASTS * lease_ms, called)

        def undo(reply: Any) -> Eval[list[bool]] | None:
            taken = read_taken(reply)
            return self.release_unstarted(taken) if taken else None

        script = load("consumers/take_expiring" if expiring else "consumers/take")
        return Eval(script, keys, args, read_taken, undo=undo)

    def wait(
        self,
        limit: int,
        lease_ms: int,
        base: bytes,
        seconds: float,
        *,
        paused: bool = False,
        expiring: bool = False,
        called: bytes | None = None,
    ) -> Eval[Sequence[Delivery] | None]:
        """Wait for a message, or with `paused` for the end of a pause; then do what `take` does."""
        take = self.take(limit, lease_ms, base, resuming=paused, expiring=expiring, called=called)
        n = self.names
        source, target = (n.resumed, n.resumed) if paused else (n.queue.name, n.arriving)
        ahead: tuple[Arg, ...] = ("BLMOVE", source, target, "LEFT", "RIGHT", wire_timeout(seconds))
        return Eval(
            take.script,
            take.keys,
            take.args,
            read_taken,
            undo=take.undo,
            waits=seconds,
            ahead=ahead,
        )

    def ack(self, tokens: Sequence[bytes]) -> Eval[list[bool]]:
        """Acknowledge messages; return for each whether its lease had not ended."""
        return Eval(load("consumers/ack"), self._held, tuple(tokens), _truths)

    def extend(
        self, tokens: Sequence[bytes], lease_ms: int, called: bytes | None = None
    ) -> Eval[list[bool]]:
        """Extend leases to `lease_ms` from now, but shorten none; return what `ack` returns."""
        keys: tuple[str, ...] = self._held
        args: tuple[Arg, ...] = (lease_ms, *tokens)
        if called is not None:
            keys, args = (*keys, self.names.consumers), (LASTS * lease_ms, called, *args)
        return Eval(load("consumers/extend"), keys, args, _truths, safe=True)

    def release(self, tokens: Sequence[bytes], *, started: bool) -> Eval[list[bool]]:
        """Requeue messages at the head of the queue; return what `ack` returns.

        If `started` is True, their deliveries count as attempts.
        """
        n = self.names
        keys = (n.queue.name, n.leases, n.taken, n.returned)
        return Eval(load("consumers/release"), keys, (int(started), *tokens), _truths)

    def release_unstarted(self, taken: Sequence[Delivery]) -> Eval[list[bool]]:
        """Requeue messages that no program received; return what `ack` returns."""
        tokens = [each.token for each in taken]
        return self._unstarted(tokens, expiring=any(each.expires_ms for each in taken))

    def recall(self, take: Eval[Any]) -> Eval[list[bool]]:
        """Requeue the messages of a take or wait whose reply was lost; return what `ack` returns.

        The result has a value for each of `limit` tokens, and False for a token without a message.
        """
        limit, base = cast("tuple[int, bytes]", take.args[0:3:2])
        tokens = [base + number.to_bytes(_COUNT_BYTES) for number in range(1, limit + 1)]
        return replace(
            self._unstarted(tokens, expiring=self.names.expiries in take.keys), safe=True
        )  # a repetition finds no lease

    def _unstarted(self, tokens: Sequence[bytes], *, expiring: bool) -> Eval[list[bool]]:
        if not expiring:
            return self.release(tokens, started=False)
        n = self.names
        keys = (n.queue.name, n.leases, n.taken, n.returned, n.expiring, n.expiries)
        return Eval(load("consumers/release_expiring"), keys, tuple(tokens), _truths)

    def expire(self, tokens: Sequence[bytes]) -> Eval[list[Kept]]:
        """Dead-letter or drop leased messages that expired before a program received them."""
        n = self.names
        keys = (n.leases, n.taken, n.dead, n.letters)
        return Eval(load("consumers/expire"), keys, tuple(tokens), lambda r: [Kept(k) for k in r])

    def postpone(
        self, token: bytes, delay_ms: int, random: bytes, wire_format: WireFormat, *, started: bool
    ) -> Eval[int]:
        """Requeue a message with a delay; return its new due time, or 0 if its lease had ended."""
        n = self.names
        own = (n.leases, n.taken, n.retried, n.postponed)
        keys = (*own, n.queue.timeout_set, n.queue.delay_list, n.queue.channel)
        item_id: Arg = random
        layout = "Bc0Lc0"
        if wire_format is WireFormat.LEGACY:
            item_id, layout = legacy_id(random), "dLc0"
        args: tuple[Arg, ...] = (token, delay_ms, int(started), item_id, layout)
        return Eval(load("consumers/postpone"), keys, args, int)

    def reject(self, token: bytes, reason: str, traceback: str | None) -> Eval[bool]:
        """Make a message a dead letter; return whether its lease had not ended."""
        if not isinstance(reason, str):
            raise TypeError(f"reason must be str, not {reason!r}")
        n = self.names
        keys = (n.leases, n.taken, n.dead, n.letters)
        return Eval(load("consumers/reject"), keys, (token, encode_reason(reason, traceback)), bool)

    @property
    def _held(self) -> tuple[str, str]:
        return (self.names.leases, self.names.taken)
