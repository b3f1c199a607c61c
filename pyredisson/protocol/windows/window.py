"""A group window: values of a key are collected, and delivered together, full or due.

A group is one item of a delayed queue: a token, which is pending until the group is due or full,
and then a message like any other. Its values are kept beside, in the order of the offers, under the
SHA1 of the token's bytes. So whoever moves what is due, Java as well, closes groups, and a message
that comes back brings its group whole.

The rule: a group is open as long as its token is pending and nobody has taken it; each step is one
script. A token may be pending and in the queue, too, where a transfer stopped half-way, and then
be there more than once:

==================== ============================= =========================================
the token is         an offer with the key         who takes it
==================== ============================= =========================================
pending              joins                         nobody can
pending, in queue    joins; fills: another copy    closes the group, reads what has joined
in queue             begins another group          closes and reads it
taken                begins another group          drops this copy while the lease lasts
back after a lease   begins another group          gets the group, whole
of a dead letter     begins another group          a copy: gets the group once more
of a group that is   begins another group          drops it, and says so
done or cancelled
==================== ============================= =========================================

`pending` lists, and `cancel` takes back, what an offer joins.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, TypeVar

from pyredisson.codecs.base import Codec
from pyredisson.errors import CodecError, DecodeError, NotReplicatedError
from pyredisson.protocol.consumers.consumer import ConsumerProtocol
from pyredisson.protocol.consumers.delivery import Delivery
from pyredisson.protocol.dead_letters.dead_letters import DeadProtocol, none_stays
from pyredisson.protocol.delayed.entry import WireFormat, legacy_id, sha_of
from pyredisson.protocol.kernel.command import Arg, Eval, Operation
from pyredisson.protocol.kernel.due import from_epoch_ms
from pyredisson.protocol.kernel.durable import Durable, confirmed
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
"""Values of a group, at most: they travel in one reply."""

COPY = 0
"""What is read of a group that another delivery has."""

_PAGE = 500
_STANDS_FOR = "pyredisson_group:"
_TEXT = re.compile(_STANDS_FOR + "[0-9a-f]{32}")
_COUNT, _ID = 4, 16  # in a group's head, before its key


@dataclass(frozen=True, slots=True)
class Group(Generic[V]):
    """A group that was delivered: the values in the order in which they were offered.

    `raw_values` are their bytes. Of a dead letter `values` has only what can be read.
    """

    key: str
    id: str
    values: list[V]
    raw_values: list[bytes] = field(repr=False)


@dataclass(frozen=True, slots=True)
class GroupState:
    """A group of a window: how many values it has, and when it is due at the latest.

    `closed` is True when the offer has filled it, so that it is delivered now.
    """

    key: str
    id: str
    size: int
    due_at: datetime
    closed: bool = False


def _token(codec: Codec[Any], item_id: bytes) -> bytes:
    return codec.encode(_STANDS_FOR + item_id.hex())


def is_text(codec: Codec[Any], raw: bytes) -> bool:
    """Tell whether a value is what stands in the queue for a group."""
    value, _ = readable(codec, raw)
    return isinstance(value, str) and _TEXT.fullmatch(value) is not None


def texts_of(heads: Mapping[bytes, bytes], codecs: Iterable[Codec[Any]]) -> list[bytes]:
    """Return what stands in the queue for groups, where one of the codecs has encoded it.

    `heads` has what is kept of each group under the SHA1 of that.
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
    """Return the id of a group from what stands for it in the queue; None of anything else."""
    for codec in codecs:
        with contextlib.suppress(CodecError, TypeError, ValueError):
            text = codec.decode(token)
            item_id = bytes.fromhex(str(text).removeprefix(_STANDS_FOR))
            if len(item_id) == _ID and _token(codec, item_id) == token:
                return item_id
    return None


def require_texts(codec: Codec[Any]) -> None:
    """Refuse a codec that cannot encode what stands for a group in its queue, a text.

    Raises:
        TypeError: it cannot.
    """
    why = "it reads something else"
    try:
        if codec.decode(_token(codec, bytes(_ID))) == _STANDS_FOR + bytes(_ID).hex():
            return
    except (CodecError, TypeError, ValueError) as error:
        why = str(error)
    raise TypeError(
        "in the queue of a group window each group is a text, which its codec cannot encode: "
        f"{codec!r}: {why}; give the queue one that can, such as StringCodec(), and that of the "
        "values to the window: get_group_window(queue, codec=...)"
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
        """Add a value to a key's group; that group, and whether it was begun.

        `random` are 24 bytes.
        """
        n, q = self.names, self.names.consumer.queue
        keys = (q.name, q.timeout_set, q.delay_list, q.channel, n.begun, n.groups)
        pending_id: Arg = random[16:]
        layout = "Bc0Lc0"
        if self.wire_format is WireFormat.LEGACY:
            pending_id, layout = legacy_id(random[16:]), "dLc0"
        item_id = random[:16]
        token = _token(self.tokens, item_id)
        args: tuple[Arg, ...] = (key, data, size, after_ms, token, item_id, pending_id, layout)

        def read(reply: Any) -> tuple[GroupState, bool]:
            found, count, due, begun = reply
            return _state(key, found, count, due, closed=count >= size), bool(begun)

        return Eval(load("windows/offer"), keys, args, read)

    def cancel(self, key: bytes) -> Eval[int]:
        """Take back a key's open group; how many values did it have?"""
        n, q = self.names, self.names.consumer.queue
        keys = (q.timeout_set, q.delay_list, n.begun, n.groups)
        return Eval(load("windows/cancel"), keys, (key,), number)

    def pending(self, cursor: int) -> Eval[tuple[int, list[GroupState]]]:
        """Some of the open groups: the next cursor (0: no more), and their states."""
        n = self.names
        keys = (n.begun, n.consumer.queue.timeout_set, n.groups)

        def read(reply: Any) -> tuple[int, list[GroupState]]:
            words = reply[1:]
            states = [_state(*words[i : i + 4], closed=False) for i in range(0, len(words), 4)]
            return int(reply[0]), states

        return Eval(load("windows/pending"), keys, (cursor, _PAGE), read, safe=True)


def collected(offer: W, durable: Durable | None, key: str) -> W:
    """Let an offer to a key's group wait for its confirmation."""

    def unconfirmed(lack: str, _found: Any) -> NotReplicatedError:
        what = f"the value is in the group of {key!r}"
        return NotReplicatedError(what, lack, "if that master is lost, the value may be")

    return confirmed(offer, durable, unconfirmed)


def _state(key: bytes, item_id: bytes, size: int, due_ms: int, *, closed: bool) -> GroupState:
    return GroupState(key.decode(), item_id.hex(), size, from_epoch_ms(due_ms), closed)


@dataclass(frozen=True, slots=True)
class GroupsProtocol(ConsumerProtocol):
    """The operations of a window's consumers: those of any queue, but for what has the values."""

    window: WindowNames

    @classmethod
    def of(cls, window: WindowNames, *, due_times: bool = False) -> GroupsProtocol:
        """Return the operations of a window's queue."""
        return cls(window.consumer, window, due_times=due_times)

    def ack(self, tokens: Sequence[bytes]) -> Eval[list[bool]]:
        """Forget messages and their groups; which of them were still ours?"""
        keys = (*self._held, self.window.begun, self.window.groups)
        args = tuple(tokens)
        return Eval(load("windows/ack"), keys, args, lambda reply: [bool(done) for done in reply])

    def forget(self, tokens: Sequence[bytes]) -> Eval[list[bool]]:
        """Forget messages and leave their groups; which of them were still ours?"""
        return ConsumerProtocol.ack(self, tokens)

    def hold(self, taken: Sequence[Delivery]) -> Eval[list[Any]]:
        """Close the groups of messages that were taken: what is kept of them, see `group_of`.

        It is `COPY` where another delivery has the group.
        """
        q, w = self.names.queue, self.window
        keys = (*self._held, q.timeout_set, q.delay_list, w.begun, w.groups)
        args = tuple(word for each in taken for word in (each.token, each.raw))
        return Eval(load("windows/hold"), keys, args, list, safe=True)

    def read(self, texts: Sequence[bytes]) -> Eval[list[Any]]:
        """What is kept of groups, see `group_of`."""
        return Eval(load("windows/read"), (self.window.groups,), tuple(texts), list, safe=True)


def group_of(kept: Any, raw: bytes, codec: Codec[V]) -> tuple[Group[V] | None, DecodeError | None]:
    """Return a group as it was kept, or what can be read of it and why not all can."""
    if kept is None or None in kept:
        what = "there is no group for it, or its values are gone"
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
    """Return a group as it was kept.

    Raises:
        DecodeError: a value cannot be read, or nothing is kept.
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
        """Return the operations of a window's queue."""
        return cls(window.consumer, tokens, window)

    def drop(self, ids: Sequence[bytes]) -> Eval[tuple[int, int]]:
        """Delete letters, halves too, and their groups; how many were there? None stays."""
        n = self.names
        keys = (n.dead, n.letters, self.window.begun, self.window.groups)
        return Eval(load("windows/drop"), keys, tuple(ids), none_stays)
