"""The base of the parts of a check."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, TypeVar

from pyredisson._async.link.link import AsyncLink
from pyredisson.codecs.base import Codec
from pyredisson.protocol.checks.check import CheckProtocol
from pyredisson.protocol.checks.finding import Findings
from pyredisson.protocol.checks.halves import HalvesProtocol
from pyredisson.protocol.kernel.command import Operation
from pyredisson.protocol.kernel.names import ConsumerNames

T = TypeVar("T")


class AsyncCheckPart:
    """A part of a check.

    `action` is "look" or "repair". `usable` returns whether keys have the right types. One of
    `codecs` has encoded the texts of groups.
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
        """Add what is wrong, or was repaired, to the findings."""
        raise NotImplementedError

    async def _pages(self, read: Callable[[int], Operation[tuple[int, T]]]) -> AsyncIterator[T]:
        """Read pages by a cursor; yield those that are not empty."""
        cursor = -1
        while cursor != 0:
            cursor, page = await self._link.request(read(max(cursor, 0)))
            if page:
                yield page
