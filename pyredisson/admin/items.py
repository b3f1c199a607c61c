"""Pages of a queue's items in each state, with a cursor from one page to the next.

The rule: a page changes nothing, and an item that cannot be decoded does not hide the others.

Pages of pending items, items in progress and dead letters are in the order of time. So an item that
is added or removed between two pages hides no other item. An item whose time changes meanwhile may
be on two pages, or on none. Pages of ready items and poison begin at a place in the list. The
places move if consumers take earlier elements, so the next page may miss elements.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from pyredisson import DeadLetter, DecodeError, PendingItem, Redisson, WireFormatError
from pyredisson.admin.cursors import cursor_at, shown_before
from pyredisson.admin.dead import letters_after
from pyredisson.admin.json_values import iso, jsonable_or_none, text_of
from pyredisson.codecs.base import Codec
from pyredisson.protocol.consumers.in_flight import (
    Held,
    InFlight,
    held_by_consumers,
    in_flight_of,
)
from pyredisson.protocol.dead_letters.dead_letters import DeadProtocol
from pyredisson.protocol.delayed.delayed_queue import DelayedQueueProtocol
from pyredisson.protocol.delayed.pending import milliseconds
from pyredisson.protocol.kernel.command import Command
from pyredisson.protocol.kernel.due import from_epoch_ms
from pyredisson.protocol.kernel.names import ConsumerNames
from pyredisson.protocol.kernel.replies import readable
from pyredisson.protocol.objects.pages import FIRST, PageSize, later

__all__ = ["STATES", "Item", "ItemPage", "State", "document_of_item", "page_of_items"]

State = Literal["pending", "ready", "in-progress", "dead", "poison"]
STATES: tuple[State, ...] = ("pending", "ready", "in-progress", "dead", "poison")


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a queue, in any state.

    Attributes:
        id: 16 or 32 hex digits; None for ready elements, poison, and pending entries that no
            Redisson writes.
        due_at: when a pending item is due; None in other states.
        value: the decoded value; None if it cannot be decoded.
        raw: the value's bytes. Of a pending entry that no Redisson writes, these are all its bytes.
        error: why the value cannot be decoded; None if it can.
        receipt: the text of a receipt that cancels or reschedules a pending item. None in other
            states, and for an entry that no Redisson writes.
        consumer: the name of the consumer of a message in progress; None if it is unknown.
        lease_ends_at: when the lease of a message in progress ends.
        attempts: the deliveries of a message in progress or of a dead letter; 0 in other states.
        reason, traceback, failed_at: those of a dead letter; None in other states.
    """

    id: str | None
    due_at: datetime | None
    value: Any
    raw: bytes
    error: DecodeError | WireFormatError | None
    receipt: str | None = None
    consumer: str | None = None
    lease_ends_at: datetime | None = None
    attempts: int = 0
    reason: str | None = None
    traceback: str | None = None
    failed_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ItemPage:
    """Items, and the cursor of the next page; None after the last one."""

    items: Sequence[Item]
    next: str | None


def page_of_items(
    redisson: Redisson,
    name: str,
    codec: Codec[Any],
    state: State,
    *,
    limit: int = 50,
    after: str | None = None,
) -> ItemPage:
    """Return a page of a queue's items.

    Args:
        redisson: the client.
        name: the queue's name.
        codec: decodes the values.
        state: the state of the items.
        limit: the maximum number of items.
        after: `ItemPage.next` of the page before; None for the first page.

    Raises:
        ValueError: an unknown state, a limit below 1, or a cursor of another state.
        ServerError: the server rejects it, or cannot be reached.
    """
    if state not in STATES:
        raise ValueError(f"state must be one of {', '.join(STATES)}, not {state!r}")
    if limit < 1:
        raise ValueError(f"limit must be at least 1, not {limit!r}")
    names = ConsumerNames.of(redisson._context.mapper.map(name))
    by_time: dict[str, Callable[..., ItemPage]] = {
        "pending": _pending,
        "in-progress": _in_progress,
        "dead": _dead,
    }
    read = by_time.get(state) or _by_place(state)
    return read(redisson._context.link.request, names, codec, limit, after)


_SHORT = 2000
"""The maximum length, in bytes, of a value that its receipt contains completely."""

_Run = Callable[[Any], Any]


def _pending(
    run: _Run, names: ConsumerNames, codec: Codec[Any], limit: int, after: str | None
) -> ItemPage:
    protocol = DelayedQueueProtocol(names.queue, codec)
    shown = read = shown_before(after)
    items: list[Item] = []
    while True:
        page = run(protocol.page(read, limit + 1))
        for scored in later(page.elements, shown):
            if len(items) == limit:
                return ItemPage(items, cursor_at(*shown))
            shown = scored
            found = protocol.item(scored)
            items.append(_no_entry(*scored) if found is None else _of_pending(found))
        if not page.more:
            return ItemPage(items, None)
        read = page.elements[-1]


def _of_pending(item: PendingItem[Any]) -> Item:
    receipt = item.receipt
    text = str(receipt if len(item.raw) <= _SHORT else receipt.short())
    return Item(receipt.item_id.hex(), item.due_at, item.value, item.raw, item.error, receipt=text)


def _no_entry(entry: bytes, score: bytes) -> Item:
    due_at = from_epoch_ms(milliseconds(float(score)))
    return Item(None, due_at, None, entry, WireFormatError(entry))


def _in_progress(
    run: _Run, names: ConsumerNames, codec: Codec[Any], limit: int, after: str | None
) -> ItemPage:
    shown = read = shown_before(after)
    held: list[Held] = []
    while True:
        page, rest = run(held_by_consumers(names, read, limit + 1 - len(held)))
        last = float(shown[1]), shown[0]
        held += [each for each in page if (each.ends_ms, each.delivery.token) > last]
        if rest is None or len(held) > limit:
            break
        read = rest
    if len(held) > limit:
        held = held[:limit]
        rest = held[-1].delivery.token, f"{held[-1].ends_ms:.17g}".encode()
    items = [_of_message(in_flight_of(each, *readable(codec, each.delivery.raw))) for each in held]
    return ItemPage(items, None if rest is None else cursor_at(*rest))


def _of_message(message: InFlight[Any]) -> Item:
    return Item(
        message.id,
        None,
        message.value,
        message.raw,
        message.error,
        consumer=message.consumer,
        lease_ends_at=message.lease_ends_at,
        attempts=message.attempt,
    )


def _dead(
    run: _Run, names: ConsumerNames, codec: Codec[Any], limit: int, after: str | None
) -> ItemPage:
    page = letters_after(run, DeadProtocol(names, codec), limit=limit, after=after)
    return ItemPage([*map(_of_letter, page.letters)], page.next)


def _by_place(state: State) -> Callable[..., ItemPage]:
    def read(
        run: _Run, names: ConsumerNames, codec: Codec[Any], limit: int, after: str | None
    ) -> ItemPage:
        start = _place(after)
        key = names.queue.name if state == "ready" else names.queue.poison
        raw_values, pages, count = list[bytes](), PageSize(FIRST), 0
        while len(raw_values) <= limit:
            first = start + len(raw_values)
            count = min(pages.count, limit + 1 - len(raw_values))
            page = run(Command(("LRANGE", key, first, first + count - 1), list, key, safe=True))
            raw_values += page
            pages.note(page)
            if len(page) < count:
                break
        found = [_element(raw, codec) for raw in raw_values[:limit]]
        return ItemPage(found, str(start + limit) if len(raw_values) > limit else None)

    return read


def _place(after: str | None) -> int:
    if after is None:
        return 0
    if not after.isdecimal():
        raise ValueError(f"not a cursor of this state: {after!r}; use `next` of the page before")
    return int(after)


def _element(raw: bytes, codec: Codec[Any]) -> Item:
    value, error = readable(codec, raw)
    return Item(None, None, value, raw, error)


def _of_letter(letter: DeadLetter[Any]) -> Item:
    return Item(
        letter.id,
        None,
        letter.value,
        letter.raw,
        letter.error,
        attempts=letter.attempts,
        reason=letter.reason,
        traceback=letter.traceback,
        failed_at=letter.failed_at,
    )


def document_of_item(item: Item) -> dict[str, Any]:
    """Return an item as a dict for JSON; it has no traceback."""
    value = jsonable_or_none(item.value)
    text = (
        item.raw.hex()
        if item.error is not None
        else text_of(item.value if value is None else value)
    )
    found: dict[str, Any] = {
        "id": item.id,
        "due_at": iso(item.due_at),
        "value": value,
        "text": text,
        "receipt": item.receipt,
        "bytes": item.raw.hex(),
    }
    if item.error is not None:
        found["error"] = str(item.error)
    if item.consumer is not None or item.lease_ends_at is not None:
        found |= {"consumer": item.consumer, "lease_ends_at": iso(item.lease_ends_at)}
    if item.attempts:
        found["attempts"] = item.attempts
    if item.reason is not None:
        found |= {"reason": item.reason, "failed_at": iso(item.failed_at)}
    return found
