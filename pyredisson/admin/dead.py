"""Dead letters by page, by id and by reason.

The rule: only one page is in memory, and one request settles the letters of a page. A page begins
behind the last letter that was read. So letters that are added or removed meanwhile hide no others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pyredisson import DeadLetter, DeadLetters, Redisson
from pyredisson.admin.cursors import cursor_at, shown_before
from pyredisson.codecs import ByteArrayCodec, StringCodec
from pyredisson.codecs.base import Codec
from pyredisson.protocol.dead_letters.dead_letters import DeadProtocol, Filed
from pyredisson.protocol.kernel.command import Command
from pyredisson.protocol.kernel.names import ConsumerNames, WindowNames
from pyredisson.protocol.kernel.replies import optional, truth
from pyredisson.protocol.objects.collection import PAGE
from pyredisson.protocol.objects.pages import START, Scored, later

__all__ = [
    "LetterPage",
    "letter_with_id",
    "letters_after",
    "letters_of",
    "page_of_letters",
    "settle_by_reason",
]


@dataclass(frozen=True, slots=True)
class LetterPage:
    """Dead letters, and the cursor of the next page; None after the last one."""

    letters: Sequence[DeadLetter[Any]]
    next: str | None


def letters_of(redisson: Redisson, name: str) -> DeadLetters[Any]:
    """Return the object that settles a queue's dead letters: that of its window if it has groups.

    If another object dropped the letters of groups, the values of the groups would stay in Redis,
    and a repair of the queue would deliver these values again.
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
    """Return a page of a queue's dead letters, the earliest failure first.

    Args:
        redisson: the client.
        name: the queue's name.
        codec: decodes the values.
        reason: only letters whose reason contains this text.
        limit: the maximum number of letters.
        after: `LetterPage.next` of the page before; None for the first page.

    Raises:
        ValueError: `after` is not a cursor.
        ServerError: the server rejects it, or cannot be reached.
    """
    protocol, request = _protocol(redisson, name, codec), redisson._context.link.request
    return letters_after(request, protocol, reason=reason, limit=limit, after=after)


def letters_after(
    request: Callable[[Any], Any],
    protocol: DeadProtocol[Any],
    *,
    reason: str | None = None,
    limit: int,
    after: str | None,
) -> LetterPage:
    """Return a page of dead letters, as `page_of_letters` does."""
    shown = shown_before(after)
    found: list[DeadLetter[Any]] = []
    for page in _pages(request, protocol, shown, min(limit + 1, PAGE)):
        for letter_id, failed_ms, letter in page:
            if letter is not None and (reason is None or reason in letter.reason):
                if len(found) == limit:
                    return LetterPage(found, cursor_at(*shown))
                found.append(letter)
            shown = letter_id, failed_ms
    return LetterPage(found, None)


def letter_with_id(
    redisson: Redisson, name: str, codec: Codec[Any], letter_id: str
) -> DeadLetter[Any] | None:
    """Return the dead letter with an id; None if there is none, or only half of it.

    Raises:
        ValueError: `letter_id` is not hexadecimal.
        ServerError: the server rejects it, or cannot be reached.
    """
    try:
        wanted = bytes.fromhex(letter_id)
    except ValueError:
        raise ValueError(
            f"an id has 32 hex digits, as `list` shows it, not {letter_id!r}"
        ) from None
    protocol, request = _protocol(redisson, name, codec), redisson._context.link.request
    times, letters = protocol.names.dead, protocol.names.letters
    failed_ms = request(Command(("ZSCORE", times, wanted), optional(bytes), times, safe=True))
    letter = request(Command(("HGET", letters, wanted), optional(bytes), letters, safe=True))
    found: DeadLetter[Any] | None = protocol.letter(wanted, failed_ms, letter)
    return found


def settle_by_reason(
    redisson: Redisson,
    name: str,
    reason: str,
    action: Literal["redrive", "drop"],
    limit: int | None = None,
) -> int:
    """Redrive or drop the dead letters whose reason contains a text; return their number.

    The call leaves out letters that fail later than the newest letter at its start. So a letter
    that it redrives, and that fails again, is not redriven twice.

    Args:
        redisson: the client.
        name: the queue's name.
        reason: the text.
        action: what to do with them.
        limit: the maximum number of letters, the earliest failures first; None for all.

    Raises:
        ServerError: some letters may have been settled.
    """
    protocol = letters_of(redisson, name)._protocol
    settle = protocol.redrive if action == "redrive" else protocol.drop
    request, key = redisson._context.link.request, protocol.names.dead
    last = request(Command(("ZRANGE", key, -1, -1, "WITHSCORES"), list, key, safe=True))
    settled, end = 0, float(last[1]) if last else 0.0
    for page in _pages(request, protocol, START, PAGE):
        chosen = [
            letter_id
            for letter_id, failed_ms, letter in page
            if letter is not None and reason in letter.reason and float(failed_ms) <= end
        ]
        if limit is not None:
            chosen = chosen[: limit - settled]
        if chosen:  # one request can settle all letters of a page
            settled += request(settle(chosen)).done
        if settled == limit or (page and float(page[-1][1]) > end):
            break
    return settled


def _pages(
    request: Callable[[Any], Any], protocol: DeadProtocol[Any], shown: Scored, size: int
) -> Iterator[list[Filed[Any]]]:
    """Read pages of the letters after `shown`; the first page has at most `size` letters."""
    read, more = shown, True
    while more:
        page = request(protocol.page(read, size))
        found, more = later(page.elements, shown), page.more
        yield found
        shown = found[-1][:2] if found else shown
        read, size = page.elements[-1][:2] if more else shown, PAGE


def _protocol(redisson: Redisson, name: str, codec: Codec[Any]) -> DeadProtocol[Any]:
    return DeadProtocol(ConsumerNames.of(redisson._context.mapper.map(name)), codec)
