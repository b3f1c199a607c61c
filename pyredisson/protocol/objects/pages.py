"""Pages of a list or a sorted set, while other clients add and remove elements.

The rule: each element that stays is returned at least once. A page of long elements has few.

The next page of a sorted set begins behind the current place of the last entry that was read.
`later` removes entries that were returned before. In a list, an element has only a place, which
changes. So the pages of a list overlap, and `ListWalk` looks in each page for elements of the
earlier pages. If a page has none of these, the walk goes back. Each further step back is longer.
`ListWalk` compares elements by their bytes, so it possibly returns too few of equal elements.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeAlias, TypeVar

from pyredisson.protocol.kernel.command import Command, Operation
from pyredisson.protocol.objects.collection import PAGE

__all__ = [
    "ENOUGH",
    "FIRST",
    "START",
    "ListWalk",
    "Page",
    "PageSize",
    "Scored",
    "in_parts",
    "later",
    "with_bytes",
]

T = TypeVar("T")
S = TypeVar("S", bound=tuple[Any, ...])

Scored: TypeAlias = tuple[bytes, bytes]
"""An entry of a sorted set and its score as Redis encodes it."""

START: Scored = (b"", b"-inf")
"""The place before the first page."""

ENOUGH = 524_288
"""The number of bytes after which a page ends early; scripts have the same number (`_steps`)."""

FIRST, _GROWTH = 16, 8
_REMEMBERED = 10 * PAGE


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Elements that a script has read, and whether there may be more behind them.

    A page of long elements ends early, so its length does not show whether there are more.
    """

    elements: list[T]
    more: bool


@dataclass(slots=True)
class PageSize:
    """How many elements a plain command should read at once.

    No command returns the length of elements before it reads them. So a caller can begin with
    `FIRST` elements: while the elements are short, each page has more of them, up to PAGE.

    Attributes:
        count: the size of the next page, PAGE at most.
        least: the minimum of `count`.
    """

    count: int = PAGE
    least: int = 1

    def note(self, page: Collection[bytes]) -> None:
        """Choose the size of the next page by the length of the elements of this page."""
        fit = ENOUGH * self.count // (sum(map(len, page)) or 1)
        self.count = max(self.least, min(fit, _GROWTH * self.count, PAGE))

    def noted(self, scan: Operation[T]) -> Operation[T]:
        """Return the scan with a reader that notes the elements of each reply."""

        def decode(reply: Any) -> T:
            self.note(reply[1])
            return scan.decode(reply)

        return replace(scan, decode=decode)


def in_parts(elements: Iterable[T], size: Callable[[T], int], most: int) -> Iterator[list[T]]:
    """Split elements into parts that a script can process in a short time.

    Args:
        elements: the elements, of any type.
        size: returns the number of bytes of an element.
        most: the maximum number of elements in a part; a part of large elements has fewer.
    """
    part, total = list[T](), 0
    for each in elements:
        if part and (len(part) == most or total + size(each) > ENOUGH):
            yield part
            part, total = [], 0
        part.append(each)
        total += size(each)
    if part:
        yield part


def later(page: Sequence[S], shown: Scored) -> list[S]:
    """Return the elements after `shown`; each element begins with its entry and its score."""
    return [each for each in page if _order(each) > _order(shown)]


def _order(scored: tuple[Any, ...]) -> tuple[float, bytes]:
    return float(scored[1]), scored[0]


def with_bytes(command: Command[list[T]]) -> Command[list[tuple[bytes, T]]]:
    """Return the command with a reader that adds the bytes of each element."""

    def read(reply: list[bytes]) -> list[tuple[bytes, T]]:
        return list(zip(reply, command.decode(reply), strict=True))

    return Command(command.args, read, command.key, safe=command.safe)


@dataclass(slots=True)
class ListWalk:
    """The places of the pages of one list, from its first element to the last.

    Attributes:
        start: the place where the next page begins.
    """

    start: int = 0
    _end: int = 0
    _back: int = 1
    _returned: int = 0
    _most: int | None = None
    _known: list[int] = field(default_factory=list)

    def new(self, page: Sequence[bytes]) -> int | None:
        """Return how many elements at the beginning of a page were in earlier pages.

        A page that is not the last one must have at least two elements. If it is possible that
        elements between this page and the earlier pages are missing, return None. Then call
        `go_back`, and read again.
        """
        hashes = [*map(hash, page)]
        known = _common(self._known, hashes, self._end - self.start)
        if not known and self.start and (self._most is None or self._returned < self._most):
            return None
        end = self.start + len(hashes)
        if known < len(hashes):
            self._end = end
        self.start, self._back = max(0, end - max(1, len(page) // 10)), max(1, len(page))
        self._returned += len(hashes) - known
        self._known = [*self._known, *hashes[known:]][-_REMEMBERED:]
        return known

    def go_back(self, size: int) -> None:
        """Let the next page begin earlier.

        Args:
            size: the current length of the list; only the first call uses it. After the walk has
                returned this number of further elements, it does not go back again, and can miss
                elements. Without this limit, a walk would not end if other clients fill and empty
                the list faster than the walk reads.
        """
        if self._most is None:
            self._most = self._returned + size
        self.start, self._back = max(0, self.start - self._back), 2 * self._back


def _common(known: list[int], page: list[int], most: int) -> int:
    """Return how many elements at the beginning of a page are known, at most `most`."""
    most = min(most, len(page), len(known))
    for count in range(most, 0, -1):
        if page[:count] == known[-count:]:  # other clients removed only elements before these
            return count
    places = {page[place]: place for place in reversed(range(most))}
    return next((places[each] + 1 for each in reversed(known) if each in places), 0)
