"""Pages of a queue's items, and the search in them.

The rule: an answer reads a bounded number of items, stops early where values are long, and shows no
more than the start of a long value.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from time import monotonic
from typing import Any

from pyredisson import Redisson
from pyredisson.admin.codecs import likely_codec
from pyredisson.admin.decode import decode
from pyredisson.admin.items import Item, State, document_of_item, page_of_items
from pyredisson.admin.json_values import printable
from pyredisson.codecs.base import Codec

__all__ = ["MAX_ITEMS", "items_document", "poison_id"]

MAX_ITEMS = 200
"""Items of a page at most."""
_SHOWN = 4096
"""Characters of a value that are shown."""
_FIRST, _STEP = 10, 250
_LOOKED = 5000
_BYTES = 1_000_000
_SECONDS = 0.15
_DECODED = 65_536


def poison_id(raw: bytes) -> str:
    """Return an id of what could not be decoded, which has none of its own."""
    return sha256(raw).hexdigest()[:32]


def items_document(
    redisson: Redisson,
    name: str,
    codec: Codec[Any],
    state: State,
    *,
    limit: int,
    after: str | None,
    search: str,
) -> dict[str, Any]:
    """Return what JSON says of a page.

    Args:
        redisson: the client.
        name: the queue's name.
        codec: decodes the values.
        state: which items.
        limit: the maximum number of items.
        after: `next` of the page before; None for the first page.
        search: only items whose text or id contains it, whatever the case.

    Raises:
        ValueError: an unknown state, or a cursor of another one.
        ServerError: the server rejects it, or cannot be reached.
    """
    matches = _matcher(search)
    found: list[dict[str, Any]] = []
    searched, size, until = 0, 0, monotonic() + _SECONDS
    step = _FIRST
    while True:
        most = min(step, limit - len(found))
        page = page_of_items(redisson, name, codec, state, limit=most, after=after)
        for each in page.items:
            searched, size = searched + 1, size + len(each.raw) + len(each.traceback or "")
            document = _document(each, state)
            if matches(document):
                found.append(_cut(document, each))
        after = page.next
        if after is None or len(found) >= limit:
            break
        if searched >= _LOOKED or size >= _BYTES or monotonic() >= until:
            break
        step = min(_STEP, (_BYTES - size) * searched // max(size, 1) + 1)
    return {"items": found, "next": after, "searched": searched}


def _matcher(search: str) -> Callable[[dict[str, Any]], bool]:
    wanted = search.strip().casefold()
    if not wanted:
        return lambda _: True
    return lambda each: wanted in each["text"].casefold() or wanted in (each["id"] or "").casefold()


def _document(item: Item, state: State) -> dict[str, Any]:
    found = document_of_item(item)
    found["text"] = printable(found["text"])
    if state == "poison":
        found["id"] = poison_id(item.raw)
    return found


def _cut(found: dict[str, Any], item: Item) -> dict[str, Any]:
    """Return a document as the page shows it."""
    is_long = len(found["text"]) > _SHOWN or len(item.raw) > _SHOWN
    found |= {"size": len(item.raw), "cut": is_long}
    if is_long:
        found |= {
            "value": None,
            "text": found["text"][:_SHOWN],
            "bytes": item.raw[: _SHOWN // 2].hex(),
        }
    for key in ("error", "reason", "consumer"):
        if found.get(key) is not None:
            found[key] = printable(found[key])[:_SHOWN]
    if item.reason is not None:
        lines = (item.traceback or "").splitlines()
        found["traceback"] = "\n".join(map(printable, lines))[: 8 * _SHOWN] or None
    if item.error is not None or found["id"] == poison_id(item.raw):
        found["looks_like"] = _looks_like(item.raw)
    return found


def _looks_like(raw: bytes) -> str | None:
    """Return what some bytes look like: an entry with a value, or a value of a codec."""
    if len(raw) > _DECODED:
        return likely_codec(raw)
    found = decode(raw)
    named = found.codec or "unknown"
    return f"an entry ({found.format}) of {named}" if found.kind == "entry" else found.codec
