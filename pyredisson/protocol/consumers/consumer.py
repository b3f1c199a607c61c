"""Acknowledged consumption of a queue: a message is somebody's for the time of a lease.

A wait moves the element that ends it to `arriving`, by BLMOVE, and the script behind it takes
whatever is there or in the queue. So nothing is ever in no list: who dies between the two leaves
an element that the next one takes. What is taken is in `taken`, under a token that only this
delivery has, and in `leases` by the end of its lease. What comes back is in the queue as its plain
bytes, for Java as well, and what is known of it is kept beside under the SHA1 of its bytes.

While the queue is paused the script puts back what a wait has just moved, and the next wait is for
the end of the pause: a BLMOVE of a list that then is there for a moment, from it to itself, so that
it wakes all who wait.

The rule: each step is one script, in which the server's clock decides whether a lease has ended.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Any, cast

from pyredisson.protocol.consumers.delivery import Deliveries, Delivery, expired_of
from pyredisson.protocol.consumers.in_flight import LASTS
from pyredisson.protocol.dead_letters.dead_letters import encode_reason
from pyredisson.protocol.delayed.entry import WireFormat, legacy_id
from pyredisson.protocol.kernel.command import Arg, Eval
from pyredisson.protocol.kernel.names import ConsumerNames
from pyredisson.protocol.kernel.scripts import load
from pyredisson.protocol.queues.blocking_queue import wire_timeout

__all__ = ["BASE_BYTES", "EXPIRING", "PAUSED", "ConsumerProtocol", "Kept", "read_taken"]

BASE_BYTES = 14
"""Bytes that the tokens of one taking begin with: the consumer's, and random ones."""

_COUNT_BYTES = 2
"""Bytes behind these in each token, by which they are numbered from 1."""

PAUSED: Sequence[Delivery] = []
"""What is taken from a queue that is paused."""

EXPIRING: Sequence[Delivery] = []
"""What is taken from a queue whose items expire, by a script that does not look at that."""


class Kept(IntEnum):
    """What became of a message that may have expired."""

    LEASE_ENDED = 0
    EXPIRED = 1
    KEPT = 2
    DROPPED = 3


def read_taken(reply: Any) -> Sequence[Delivery]:
    """Read the reply of a take or a wait."""
    if isinstance(reply, bytes):
        return PAUSED if reply == b"paused" else EXPIRING
    reply = reply or [0]
    if isinstance(reply[0], list):  # behind the time what has expired
        takings = Deliveries(read_taken([0, *reply[1:]]))
        takings.expired = expired_of(reply[0][1:])
        return takings
    return [Delivery.of(reply[i], reply[i + 1]) for i in range(1, len(reply), 2)]


def _truths(reply: Any) -> list[bool]:
    return [bool(done) for done in reply]


@dataclass(frozen=True, slots=True)
class ConsumerProtocol:
    """The operations of one queue's consumers, which may ask when messages were due."""

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
        """Take up to `limit` messages without waiting, or `PAUSED`; `base` are `BASE_BYTES`.

        Unless `expiring`, `EXPIRING` says that it has to be.  `called` is the number of their
        consumer and its name, to be noted where messages are taken.
        """
        n = self.names
        own = (n.arriving, n.leases, n.taken, n.returned, n.retried, n.postponed)
        more = n.expiry if expiring else (n.expiring,)
        asked = (n.queue.due,) if self.due_times else ()
        keys = (n.queue.name, *own, n.queue.timeout_set, n.paused, *more)
        args: tuple[Arg, ...] = (limit, lease_ms, base, int(resuming))
        if asked or called is not None:
            keys = (*keys, n.consumers, *asked)
        if called is not None:
            args = (*args, LASTS * lease_ms, called)

        def undo(reply: Any) -> Eval[list[bool]] | None:
            taken = read_taken(reply)
            return self.return_unbegun(taken) if taken else None

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
        """Take up to `limit` messages, waiting for the first, or at first for a pause to end."""
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
        """Forget messages; which of them were still ours?"""
        return Eval(load("consumers/ack"), self._held, tuple(tokens), _truths)

    def extend(
        self, tokens: Sequence[bytes], lease_ms: int, called: bytes | None = None
    ) -> Eval[list[bool]]:
        """Let leases last so long from now on, none shorter; which of them were still ours?"""
        keys: tuple[str, ...] = self._held
        args: tuple[Arg, ...] = (lease_ms, *tokens)
        if called is not None:
            keys, args = (*keys, self.names.consumers), (LASTS * lease_ms, called, *args)
        return Eval(load("consumers/extend"), keys, args, _truths, safe=True)

    def release(self, tokens: Sequence[bytes], *, begun: bool) -> Eval[list[bool]]:
        """Put messages back to the head of the queue; which of them were still ours?"""
        n = self.names
        keys = (n.queue.name, n.leases, n.taken, n.returned)
        return Eval(load("consumers/release"), keys, (int(begun), *tokens), _truths)

    def return_unbegun(self, taken: Sequence[Delivery]) -> Eval[list[bool]]:
        """Put messages back that nobody had; which of them were still ours?"""
        tokens = [each.token for each in taken]
        return self._unbegun(tokens, expiring=any(each.expires_ms for each in taken))

    def recall(self, take: Eval[Any]) -> Eval[list[bool]]:
        """Put back all that a `take` or `wait` took of which nobody knows; which were ours?"""
        limit, base = cast("tuple[int, bytes]", take.args[0:3:2])
        tokens = [base + number.to_bytes(_COUNT_BYTES) for number in range(1, limit + 1)]
        return replace(
            self._unbegun(tokens, expiring=self.names.expiries in take.keys), safe=True
        )  # a token is never used again

    def _unbegun(self, tokens: Sequence[bytes], *, expiring: bool) -> Eval[list[bool]]:
        if not expiring:
            return self.release(tokens, begun=False)
        n = self.names
        keys = (n.queue.name, n.leases, n.taken, n.returned, n.expiring, n.expiries)
        return Eval(load("consumers/release_expiring"), keys, tuple(tokens), _truths)

    def expire(self, tokens: Sequence[bytes]) -> Eval[list[Kept]]:
        """Bury or drop those of our messages that have expired before anybody had them."""
        n = self.names
        keys = (n.leases, n.taken, n.dead, n.letters)
        return Eval(load("consumers/expire"), keys, tuple(tokens), lambda r: [Kept(k) for k in r])

    def postpone(
        self, token: bytes, delay_ms: int, random: bytes, wire_format: WireFormat, *, begun: bool
    ) -> Eval[int]:
        """Put a message back with a delay, as a pending member; when it is due, 0 if not ours."""
        n = self.names
        own = (n.leases, n.taken, n.retried, n.postponed)
        keys = (*own, n.queue.timeout_set, n.queue.delay_list, n.queue.channel)
        item_id: Arg = random
        layout = "Bc0Lc0"
        if wire_format is WireFormat.LEGACY:
            item_id, layout = legacy_id(random), "dLc0"
        args: tuple[Arg, ...] = (token, delay_ms, int(begun), item_id, layout)
        return Eval(load("consumers/postpone"), keys, args, int)

    def reject(self, token: bytes, reason: str, traceback: str | None) -> Eval[bool]:
        """Make a message a dead letter; was it still ours?"""
        if not isinstance(reason, str):
            raise TypeError(f"the reason must be str, not {reason!r}")
        n = self.names
        keys = (n.leases, n.taken, n.dead, n.letters)
        return Eval(load("consumers/reject"), keys, (token, encode_reason(reason, traceback)), bool)

    @property
    def _held(self) -> tuple[str, str]:
        return (self.names.leases, self.names.taken)
