"""A group window: the values of a key are collected in a group, and delivered together.

A group is one item of a delayed queue: a token. The token is pending until the group is due or
full, and then the token is an ordinary message. The group's values are stored separately, in the
order of the offers, under the SHA1 of the token's bytes. So any client that transfers due items,
also in Java, closes groups. A redelivered message has its whole group.

The rule: a group is open while its token is pending and no consumer has taken the token. Each step
is one script. If a transfer was interrupted, it is possible that a token is both pending and in the
queue. It is then possible that the queue has several copies of the token:

==================== ============================= =========================================
the token is         an offer with the key         a consumer that takes the token
==================== ============================= =========================================
pending              joins the group               (cannot take it)
pending, in queue    joins the group; if it fills  closes the group and reads its values
                     the group, adds a copy
in queue             starts another group          reads the group's values
taken                starts another group          drops this copy while the lease lasts
requeued             starts another group          reads the whole group again
in a dead letter     starts another group          (of a copy) reads the whole group again
of a group that is   starts another group          drops the token, and reports this
done or cancelled
==================== ============================= =========================================

`pending` returns the open groups, and `cancel` removes an open group.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, TypeVar

from pyredisson._support.error_text import text_of
from pyredisson.codecs.base import Codec
from pyredisson.errors import CodecError, DecodeError, NotReplicatedError
from pyredisson.protocol.consumers.consumer import ConsumerProtocol
from pyredisson.protocol.consumers.delivery import Delivery
from pyredisson.protocol.dead_letters.dead_letters import DeadProtocol, Settled, all_dropped
from pyredisson.protocol.delayed.entry import WireFormat, legacy_id, sha_of
from pyredisson.protocol.kernel.command import Arg, Eval, Operation
from pyredisson.protocol.kernel.confirmation import confirmed
from pyredisson.protocol.kernel.due import from_epoch_ms
from pyredisson.protocol.kernel.durable import Durable
from pyredisson.protocol.kernel.names import WindowNames
from pyredisson.protocol.kernel.replies import number, readable
from pyredisson.protocol.kernel.scripts import load

__all__ = [
    "COPY",
    "LARGEST",
    "Group",
    "GroupLettersProtocol",
    "GroupState",
    "GroupsProtocol",
    "WindowProtocol",
    "collected",
    "group_of",
    "is_text",
    "item_id_in",
    "require_texts",
    "texts_of",
    "whole_group",
]

V = TypeVar("V")
W = TypeVar("W", bound=Operation[Any])

LARGEST = 10_000
"""The maximum number of values in a group, because one reply has all values of a group."""

COPY = 0
"""The reply of `hold` for a message whose group another delivery has."""

_PAGE = 500
_STANDS_FOR = "pyredisson_group:"
_TEXT = re.compile(_STANDS_FOR + "[0-9a-f]{32}")
_COUNT, _ID = 4, 16  # bytes of these fields in a group's head, before its key


@dataclass(frozen=True, slots=True)
class Group(Generic[V]):
    """A delivered group.

    Attributes:
        key: the key of the group.
        id: the id of the group, 32 hex digits.
        values: the values in the order of the offers; of a dead letter or a message in progress,
            only the decodable ones.
        raw_values: the bytes of all values.
    """

    key: str
    id: str
    values: list[V]
    raw_values: list[bytes] = field(repr=False)


@dataclass(frozen=True, slots=True)
class GroupState:
    """The state of a group of a window.

    Attributes:
        key: the key of the group.
        id: the id of the group, 32 hex digits.
        size: how many values the group has.
        due_at: when the group is due, by the server's clock; a group that is full is ready earlier.
        closed: True if the offer has filled the group, which is then ready.
    """

    key: str
    id: str
    size: int
    due_at: datetime
    closed: bool = False


def _token(codec: Codec[Any], item_id: bytes) -> bytes:
    return codec.encode(_STANDS_FOR + item_id.hex())


def is_text(codec: Codec[Any], raw: bytes) -> bool:
    """Return whether the bytes are the token of a group."""
    value, _ = readable(codec, raw)
    return isinstance(value, str) and _TEXT.fullmatch(value) is not None


def texts_of(heads: Mapping[bytes, bytes], codecs: Iterable[Codec[Any]]) -> list[bytes]:
    """Return the tokens of those groups whose tokens one of the codecs encodes.

    `heads` maps the SHA1 of each group's token to the head of the group.
    """
    found = []
    for sha, head in heads.items():
        for codec in codecs:
            with contextlib.suppress(CodecError, TypeError, ValueError):
                text = _token(codec, head[_COUNT : _COUNT + _ID])
                if sha_of(text) == sha:
                    found.append(text)
                    break
    return found


def item_id_in(token: bytes, codecs: Iterable[Codec[Any]]) -> bytes | None:
    """Return the id of a group from its token; None if the bytes are not a token."""
    for codec in codecs:
        with contextlib.suppress(CodecError, TypeError, ValueError):
            text = codec.decode(token)
            item_id = bytes.fromhex(str(text).removeprefix(_STANDS_FOR))
            if len(item_id) == _ID and _token(codec, item_id) == token:
                return item_id
    return None


def require_texts(codec: Codec[Any]) -> None:
    """Reject a codec that cannot encode and decode the tokens of groups, which are texts.

    Raises:
        TypeError: the codec cannot encode or decode a token.
    """
    why = "it decodes another value"
    try:
        if codec.decode(_token(codec, bytes(_ID))) == _STANDS_FOR + bytes(_ID).hex():
            return
    except (CodecError, TypeError, ValueError) as error:
        why = text_of(error)
    raise TypeError(
        "the queue of a group window has a text for each group, which its codec cannot encode: "
        f"{codec!r}: {why}; use a codec for texts in the queue, such as StringCodec(), and the "
        "codec of the values in the window: get_group_window(queue, codec=...)"
    )


@dataclass(frozen=True, slots=True)
class WindowProtocol:
    """The operations on the open groups of one queue."""

    names: WindowNames
    tokens: Codec[Any]
    wire_format: WireFormat

    def offer(
        self, key: bytes, data: bytes, size: int, after_ms: int, random: bytes
    ) -> Eval[tuple[GroupState, bool]]:
        """Add a value to a key's open or new group; return its state, and whether it is new.

        Args:
            key: the key of the group.
            data: the encoded value.
            size: the number of values of a full group.
            after_ms: the delay of a group that the offer starts, in milliseconds.
            random: 24 bytes: 16 for the id of a group, 8 for the id of its pending entry.
        """
        n, q = self.names, self.names.consumer.queue
        keys = (q.name, q.timeout_set, q.delay_list, q.channel, n.started, n.groups)
        pending_id: Arg = random[16:]
        layout = "Bc0Lc0"
        if self.wire_format is WireFormat.LEGACY:
            pending_id, layout = legacy_id(random[16:]), "dLc0"
        item_id = random[:16]
        token = _token(self.tokens, item_id)
        args: tuple[Arg, ...] = (key, data, size, after_ms, token, item_id, pending_id, layout)

        def read(reply: Any) -> tuple[GroupState, bool]:
            found, count, due, started = reply
            return _state(key, found, count, due, closed=count >= size), bool(started)

        return Eval(load("windows/offer"), keys, args, read)

    def cancel(self, key: bytes) -> Eval[int]:
        """Remove a key's open group; return its number of values, or 0 if no group is open."""
        n, q = self.names, self.names.consumer.queue
        keys = (q.timeout_set, q.delay_list, n.started, n.groups)
        return Eval(load("windows/cancel"), keys, (key,), number)

    def pending(self, cursor: int) -> Eval[tuple[int, list[GroupState]]]:
        """Read a page of open groups; return the next cursor (0 at the end), and their states."""
        n = self.names
        keys = (n.started, n.consumer.queue.timeout_set, n.groups)

        def read(reply: Any) -> tuple[int, list[GroupState]]:
            words = reply[1:]
            states = [_state(*words[i : i + 4], closed=False) for i in range(0, len(words), 4)]
            return int(reply[0]), states

        return Eval(load("windows/pending"), keys, (cursor, _PAGE), read, safe=True)


def collected(offer: W, durable: Durable | None, key: str) -> W:
    """Return an offer to a key's group that waits for `durable`, unless that is None."""

    def unconfirmed(lack: str, _found: Any) -> NotReplicatedError:
        what = f"the value is in the group of {key!r}"
        return NotReplicatedError(what, lack, "if that master is lost, the value may be lost")

    return confirmed(offer, durable, unconfirmed)


def _state(key: bytes, item_id: bytes, size: int, due_ms: int, *, closed: bool) -> GroupState:
    return GroupState(key.decode(), item_id.hex(), size, from_epoch_ms(due_ms), closed)


@dataclass(frozen=True, slots=True)
class GroupsProtocol(ConsumerProtocol):
    """The operations of a window's consumers: those of any consumer, and operations on groups."""

    window: WindowNames

    @classmethod
    def of(cls, window: WindowNames, *, due_times: bool = False) -> GroupsProtocol:
        """Return the operations of the consumers of a window's queue."""
        return cls(window.consumer, window, due_times=due_times)

    def ack(self, tokens: Sequence[bytes]) -> Eval[list[bool]]:
        """Acknowledge messages and delete their groups; return what `ConsumerProtocol.ack` does."""
        keys = (*self._held, self.window.started, self.window.groups)
        args = tuple(tokens)
        return Eval(load("windows/ack"), keys, args, lambda reply: [bool(done) for done in reply])

    def forget(self, tokens: Sequence[bytes]) -> Eval[list[bool]]:
        """Acknowledge messages and keep their groups; return what `ConsumerProtocol.ack` does."""
        return ConsumerProtocol.ack(self, tokens)

    def hold(self, taken: Sequence[Delivery]) -> Eval[list[Any]]:
        """Close and read the groups of taken messages; return `kept` of `group_of` for each.

        For a message whose group another delivery has, return `COPY` instead.
        """
        q, w = self.names.queue, self.window
        keys = (*self._held, q.timeout_set, q.delay_list, w.started, w.groups)
        args = tuple(word for each in taken for word in (each.token, each.raw))
        return Eval(load("windows/hold"), keys, args, list, safe=True)

    def read(self, texts: Sequence[bytes]) -> Eval[list[Any]]:
        """Read groups, only the first if they are long; return `kept` of `group_of` for each."""
        return Eval(load("windows/read"), (self.window.groups,), tuple(texts), list, safe=True)


def group_of(kept: Any, raw: bytes, codec: Codec[V]) -> tuple[Group[V] | None, DecodeError | None]:
    """Return a stored group with its decodable values, and the first error or None.

    If the group does not exist, or if values are missing, return None and an error.
    """
    if kept is None or None in kept:
        what = "its group does not exist, or lacks values"
        return None, DecodeError(what, codec="group window", data=raw)
    key, item_id, *raw_values = kept
    values: list[V] = []
    first: DecodeError | None = None
    for place, data in enumerate(raw_values, 1):
        value, error = readable(codec, data)
        if error is None:
            values.append(value)  # type: ignore[arg-type]  # None may be a value
        elif first is None:
            error.args = (f"value {place} of {len(raw_values)}: {error}",)
            first = error
    return Group(key.decode(), item_id.hex(), values, raw_values), first


def whole_group(kept: Any, raw: bytes, codec: Codec[V]) -> Group[V]:
    """Return a stored group with all its values.

    Raises:
        DecodeError: a value cannot be decoded or is missing, or the group does not exist.
    """
    group, error = group_of(kept, raw, codec)
    if group is None or error is not None:
        raise error or AssertionError
    return group


@dataclass(frozen=True, slots=True)
class GroupLettersProtocol(DeadProtocol[Any]):
    """The operations on groups that are dead letters."""

    window: WindowNames

    @classmethod
    def of(cls, window: WindowNames, tokens: Codec[Any]) -> GroupLettersProtocol:
        """Return the operations on the dead letters of a window's queue."""
        return cls(window.consumer, tokens, window)

    def drop(self, ids: Sequence[bytes]) -> Eval[Settled]:
        """Delete letters and their groups; return what `DeadProtocol.drop` returns.

        For each id, Redis has a letter and its time. If only the time exists, it is deleted. If
        only the letter exists, it stays.
        """
        n = self.names
        keys = (n.dead, n.letters, self.window.started, self.window.groups)
        return Eval(load("windows/drop"), keys, tuple(ids), all_dropped(ids))
