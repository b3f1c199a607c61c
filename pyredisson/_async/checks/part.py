"""The base of the parts of a check."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection, Sequence
from typing import Any, TypeVar

from pyredisson._async.link.link import AsyncLink
from pyredisson.codecs.base import Codec
from pyredisson.protocol.checks.check import CheckProtocol
from pyredisson.protocol.checks.finding import Findings
from pyredisson.protocol.checks.halves import HalvesProtocol
from pyredisson.protocol.kernel.command import Operation
from pyredisson.protocol.kernel.names import ConsumerNames
from pyredisson.protocol.objects.pages import FIRST, PageSize

T = TypeVar("T", bound=Collection[bytes])


class AsyncCheckPart:
    """A part of a check.

    `action` is "look" or "repair". `usable` returns whether keys have the right types. One of
    `codecs` has encoded the tokens of groups.
    """

    def __init__(
        self,
        link: AsyncLink,
        names: ConsumerNames,
        findings: Findings,
        *,
        codecs: Sequence[Codec[Any]],
        action: str,
        usable: Callable[..., bool],
    ) -> None:
        self._link = link
        self._names = names
        self._protocol = CheckProtocol(names)
        self._halves = HalvesProtocol(names)
        self._findings = findings
        self._codecs = codecs
        self._action = action
        self._usable = usable

    async def run(self) -> None:
        """Add the problems to the findings; the action "repair" also repairs them."""
        raise NotImplementedError

    async def _waiting(self) -> AsyncIterator[list[bytes]]:
        """Read the queue in pages, from the tail, because takes at the head then move no page."""
        passed, pages, page = 0, PageSize(FIRST), [b""]
        while page:
            page = await self._link.request(self._protocol.waiting(passed, pages.count))
            passed += pages.count
            pages.note(page)
            yield page

    async def _pages(
        self, read: Callable[[int, int], Operation[tuple[int, T]]]
    ) -> AsyncIterator[T]:
        """Read pages by a cursor and a size; yield the pages that are not empty."""
        cursor, pages = -1, PageSize(FIRST)
        while cursor != 0:
            cursor, page = await self._link.request(read(max(cursor, 0), pages.count))
            pages.note(page)
            if page:
                yield page
