"""Dead letters by page, by id and by reason.

The rule: a page at a time is in memory, and one request settles the letters of a page. Letters that
come or go meanwhile hide no others: a walk goes on behind the last letter that it left in place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from pyredisson import DeadLetter, DeadLetters, Redisson
from pyredisson.codecs import ByteArrayCodec, StringCodec
from pyredisson.codecs.base import Codec
from pyredisson.protocol.dead_letters.dead_letters import DeadProtocol
from pyredisson.protocol.kernel.command import Command
from pyredisson.protocol.kernel.due import from_epoch_ms
from pyredisson.protocol.kernel.names import ConsumerNames, WindowNames
from pyredisson.protocol.kernel.replies import number, truth
from pyredisson.protocol.objects.collection import PAGE

__all__ = ["LetterPage", "letter_with_id", "letters_of", "page_of_letters", "settle_by_reason"]


@dataclass(frozen=True, slots=True)
class LetterPage:
    """Dead letters, and the cursor of the next page; None after the last one."""

    letters: Sequence[DeadLetter[Any]]
    next: str | None


def letters_of(redisson: Redisson, name: str) -> DeadLetters[Any]:
    """Return a queue's dead letters, to settle them: those of its window if it has groups.

    Dropping them in another way would leave the values of the groups in Redis, and a repair of the
    queue would deliver them again.
    """
    groups = WindowNames.of(redisson._context.mapper.map(name)).groups
    if redisson._context.link.request(Command(("EXISTS", groups), truth, groups, safe=True)):
        queue = redisson.get_queue(name, codec=StringCodec())
        return redisson.get_dead_letters(
            redisson.get_group_window(queue, size=1, max_wait=1, transfer=False)
        )
    return redisson.get_dead_letters(redisson.get_queue(name, codec=ByteArrayCodec()))


def page_of_letters(
    redisson: Redisson,
    name: str,
    codec: Codec[Any],
    *,
    reason: str | None = None,
    limit: int = 50,
    after: str | None = None,
) -> LetterPage:
    """Return a page of a queue's dead letters, those that failed first.

    Args:
        redisson: the client.
        name: the queue's name.
        codec: decodes the values.
        reason: only letters whose reason contains this text.
        limit: at most so many letters.
        after: `LetterPage.next` of the page before; None for the first page.

    Raises:
        ValueError: not a cursor.
        ServerError: the server rejects it, or cannot be reached.
    """
    if after is not None and not (after.isascii() and after.isdecimal()):
        raise ValueError(f"not a cursor of dead letters: {after!r}; use `next` of the page before")
    protocol, place = _protocol(redisson, name, codec), int(after or 0)
    size = min(limit + 1, PAGE)
    found: list[DeadLetter[Any]] = []
    while page := redisson._context.link.request(protocol.page(place, place + size - 1)):
        for letter in page:
            if letter is not None and (reason is None or reason in letter.reason):
                if len(found) == limit:
                    return LetterPage(found, str(place))
                found.append(letter)
            place += 1
        size = PAGE
    return LetterPage(found, None)


def letter_with_id(
    redisson: Redisson, name: str, codec: Codec[Any], letter_id: str
) -> DeadLetter[Any] | None:
    """Return the dead letter with an id; None if there is none.

    Raises:
        ValueError: it is no id.
        ServerError: the server rejects it, or cannot be reached.
    """
    try:
        wanted = bytes.fromhex(letter_id)
    except ValueError:
        raise ValueError(
            f"an id has 32 hex digits, as `list` shows it, not {letter_id!r}"
        ) from None
    protocol = _protocol(redisson, name, codec)
    while (rank := _rank(redisson, protocol, wanted)) is not None:
        page = redisson._context.link.request(protocol.page(rank, rank))
        if not page or page[0] is None:
            return None  # removed meanwhile, or a half of a letter
        if page[0].id == wanted.hex():
            return page[0]
    return None


def settle_by_reason(
    redisson: Redisson,
    name: str,
    reason: str,
    action: Literal["redrive", "drop"],
    limit: int | None = None,
) -> int:
    """Redrive or drop the dead letters whose reason contains a text; return how many.

    Letters that fail after the start are left alone, also those that were redriven and fail again.

    Args:
        redisson: the client.
        name: the queue's name.
        reason: the text.
        action: what to do with them.
        limit: at most so many, those that failed first; None for all.

    Raises:
        ServerError: some may have been settled.
    """
    protocol = letters_of(redisson, name)._protocol
    settle = protocol.redrive if action == "redrive" else protocol.drop
    request = redisson._context.link.request
    if (end := _last_failed_at(redisson, protocol)) is None:
        return 0
    settled, start, left_behind = 0, 0, None
    while page := request(protocol.page(start, start + PAGE - 1)):
        letters = [each for each in page if each is not None and each.failed_at <= end]
        chosen = [each for each in letters if reason in each.reason]
        if limit is not None:
            chosen = chosen[: limit - settled]
        halves = 0
        if chosen:
            done, halves = request(settle([bytes.fromhex(each.id) for each in chosen]))
            settled += done
        if settled == limit or any(each is not None and each.failed_at > end for each in page):
            break
        ids = set() if halves else {each.id for each in chosen}
        left_behind = next((each for each in reversed(letters) if each.id not in ids), left_behind)
        start = start + len(page) if not letters else _behind(redisson, protocol, left_behind)
    return settled


def _protocol(redisson: Redisson, name: str, codec: Codec[Any]) -> DeadProtocol[Any]:
    return DeadProtocol(ConsumerNames.of(redisson._context.mapper.map(name)), codec)


def _rank(redisson: Redisson, protocol: DeadProtocol[Any], letter_id: bytes) -> int | None:
    key = protocol.names.dead
    rank: int | None = redisson._context.link.request(
        Command(("ZRANK", key, letter_id), lambda reply: reply, key, safe=True)
    )
    return rank


def _last_failed_at(redisson: Redisson, protocol: DeadProtocol[Any]) -> datetime | None:
    key = protocol.names.dead
    words = ("ZRANGE", key, -1, -1, "WITHSCORES")
    last = redisson._context.link.request(Command(words, list, key, safe=True))
    return from_epoch_ms(float(last[1])) if last else None


def _behind(redisson: Redisson, protocol: DeadProtocol[Any], letter: DeadLetter[Any] | None) -> int:
    """Return the rank behind a letter; if it is gone, that of the first as old as it."""
    if letter is None:
        return 0
    if (rank := _rank(redisson, protocol, bytes.fromhex(letter.id))) is not None:
        return rank + 1
    key, before = protocol.names.dead, letter.failed_at.timestamp() * 1000 - 1
    words = ("ZCOUNT", key, "-inf", f"({before:.3f}")
    return redisson._context.link.request(Command(words, number, key, safe=True))
