"""What an operator may change: each action is one function, which returns what it has done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pyredisson import DelayedQueue, Receipt, Redisson
from pyredisson.admin.dead import letters_of
from pyredisson.admin.items import State, page_of_items
from pyredisson.admin.json_values import iso, printable
from pyredisson.admin.poison import requeue_all
from pyredisson.codecs import ByteArrayCodec
from pyredisson.dashboard.items import poison_id
from pyredisson.dashboard.orders import Order
from pyredisson.dashboard.source import Source
from pyredisson.protocol.kernel.due import from_epoch_ms

__all__ = ["ACTIONS", "Done"]

_RAW = ByteArrayCodec()


@dataclass(frozen=True, slots=True)
class Done:
    """How many items an action has changed, in numbers and in words, and what else it returns."""

    count: int
    text: str
    more: dict[str, Any] = field(default_factory=dict)


_Run = Callable[[Redisson, Order, Source], Done]


def _plural(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _settle(redisson: Redisson, order: Order, _source: Source) -> Done:
    drops = order.action == "drop"
    if order.is_poison:
        count, what = _settle_poison(redisson, order, drops=drops), "poison value"
    else:
        letters = letters_of(redisson, order.name)
        settle = letters.drop if drops else letters.redrive
        count = settle() if order.ids is None else sum(settle(id=each) for each in order.ids)
        what = "dead letter"
    if count == 0:
        return Done(0, f"nothing changed: {order.name!r} no longer has such a {what}")
    return Done(count, f"{_plural(count, what)} {'dropped' if drops else 'redriven'}")


def _settle_poison(redisson: Redisson, order: Order, *, drops: bool) -> int:
    poison = redisson.get_poison_list(redisson.get_queue(order.name, codec=_RAW))
    if order.ids is None:
        if drops:
            return poison.drop()
        return requeue_all(redisson, order.name, _RAW, include_undecodable=True)
    wanted, found = {*order.ids}, list[bytes]()
    for each in poison:
        if poison_id(each.raw) in wanted:
            found.append(each.raw)
            wanted.discard(poison_id(each.raw))
            if not wanted:
                break
    if drops:
        return sum(poison.drop(raw=each) for each in found)
    return sum(poison.requeue(raw=each, include_undecodable=True) for each in found)


def _delayed(redisson: Redisson, order: Order) -> DelayedQueue[bytes]:
    queue = redisson.get_queue(order.name, codec=_RAW)
    return redisson.get_delayed_queue(queue, transfer=False)


_GONE = "nothing changed: the item is no longer pending; it was transferred or cancelled"


def _cancel(redisson: Redisson, order: Order, _source: Source) -> Done:
    delayed = _delayed(redisson, order)
    count = next((1 for each in order.receipts(delayed) if delayed.cancel(each)), 0)
    return Done(count, "1 item cancelled" if count else _GONE)


def _reschedule(redisson: Redisson, order: Order, _source: Source) -> Done:
    delayed = _delayed(redisson, order)
    tries = (delayed.reschedule(each, order.delay) for each in order.receipts(delayed))
    receipt = next((each for each in tries if each is not None), None)
    if receipt is None:
        return Done(0, _GONE)
    return Done(1, "1 item rescheduled", _times(receipt))


def _times(receipt: Receipt) -> dict[str, Any]:
    return {"receipt": str(receipt), "due_at": iso(from_epoch_ms(receipt.due_ms))}


def _pause(redisson: Redisson, order: Order, _source: Source) -> Done:
    queue = redisson.get_queue(order.name, codec=_RAW)
    if order.action == "resume":
        queue.resume()
        return Done(1, "resumed")
    queue.pause()
    return Done(1, "paused: pyredisson's consumers and workers take nothing until it is resumed")


def _repair(redisson: Redisson, order: Order, _source: Source) -> Done:
    is_plan = order.given.get("dry_run", False)
    found = _delayed(redisson, order).repair(dry_run=is_plan)
    texts = [printable(f"{each.kind} of {each.key}: {each.count}; {each.text}") for each in found]
    verb = "would be repaired" if is_plan else "repaired"
    text = f"{_plural(len(found), 'problem')} {verb}" if found else "nothing to repair"
    return Done(len(found), text, {"findings": texts})


def _offer(redisson: Redisson, order: Order, source: Source) -> Done:
    data = source.writing.encode(order.given["value"])
    if not source.given:
        _check_codec(redisson, order.name, source)
    receipt = _delayed(redisson, order).offer(data, delay=order.delay)
    return Done(1, "1 item offered", _times(receipt))


def _check_codec(redisson: Redisson, name: str, source: Source) -> None:
    """Reject a write with a codec that cannot read the queue's elements."""
    states: tuple[State, ...] = ("ready", "pending")
    for state in states:
        for each in page_of_items(redisson, name, source.writing, state, limit=1).items:
            if each.error is not None and getattr(each.error, "class_name", None) is None:
                codec = type(source.writing).__name__
                raise ValueError(
                    f"{codec} cannot read the values of {name!r}, so its consumers may not read "
                    "what it writes: start the dashboard with the queue's codec"
                )


ACTIONS: dict[str, _Run] = {
    "redrive": _settle,
    "drop": _settle,
    "cancel": _cancel,
    "reschedule": _reschedule,
    "pause": _pause,
    "resume": _pause,
    "repair": _repair,
    "offer": _offer,
}
