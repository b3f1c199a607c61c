"""Pages of a list or a sorted set, while others add and remove elements.

The rule: an element that stays comes at least once.

The next page of a sorted set begins behind the last entry that was read (`later`), wherever that is
now. A list has only places, and they move. So its pages overlap, and `ListWalk` looks for elements
of the pages before. If a page has none of them, the walk goes back, further each time. It knows
elements by their bytes, so of equal ones it may return fewer than stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

from pyredisson.protocol.kernel.command import Command
from pyredisson.protocol.objects.collection import PAGE

__all__ = ["START", "ListWalk", "Scored", "later", "with_bytes"]

T = TypeVar("T")
S = TypeVar("S", bound=tuple[Any, ...])

Scored: TypeAlias = tuple[bytes, bytes]
"""An entry of a sorted set and its score as Redis encodes it."""

START: Scored = (b"", b"-inf")
"""Before the first page."""

_OVERLAP = PAGE // 10
_REMEMBERED = 10 * PAGE


def later(page: Sequence[S], shown: Scored) -> list[S]:
    """Return what comes after the last entry shown; each has its entry first, then its score."""
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
    _back: int = PAGE
    _returned: int = 0
    _most: int | None = None
    _known: list[int] = field(default_factory=list)

    def new(self, page: Sequence[bytes]) -> int | None:
        """Return how many elements at the beginning of a page have come before.

        None: it cannot tell; call `go_back`, and read again.
        """
        hashes = [*map(hash, page)]
        known = _common(self._known, hashes, self._end - self.start)
        if not known and self.start and (self._most is None or self._returned < self._most):
            return None
        end = self.start + len(hashes)
        if known < len(hashes):
            self._end = end
        self.start, self._back = max(0, end - _OVERLAP), PAGE
        self._returned += len(hashes) - known
        self._known = [*self._known, *hashes[known:]][-_REMEMBERED:]
        return known

    def go_back(self, size: int) -> None:
        """Let the next page begin earlier.

        Args:
            size: the length of the list now. After as many more elements the walk goes back no
                more. In a list that others fill and empty faster than this reads, it would not end.
        """
        if self._most is None:
            self._most = self._returned + size
        self.start, self._back = max(0, self.start - self._back), 2 * self._back


def _common(known: list[int], page: list[int], most: int) -> int:
    """Return how many elements at the beginning of a page have come before, at most `most`."""
    most = min(most, len(page), len(known))
    for count in range(most, 0, -1):
        if page[:count] == known[-count:]:  # only elements in front of these are gone
            return count
    places = {page[place]: place for place in reversed(range(most))}
    return next((places[each] + 1 for each in reversed(known) if each in places), 0)
