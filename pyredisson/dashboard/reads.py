"""What the page asks for, and what it is answered."""

from __future__ import annotations

from collections import OrderedDict
from datetime import UTC, datetime
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from pyredisson import Redisson, __version__
from pyredisson.admin.doctor.diagnose import Examination, examine
from pyredisson.admin.items import STATES
from pyredisson.admin.json_values import iso, printable
from pyredisson.dashboard.answers import answer
from pyredisson.dashboard.items import MAX_ITEMS, items_document
from pyredisson.dashboard.overview import Overview
from pyredisson.dashboard.queue import queue_document
from pyredisson.dashboard.requests import name_in
from pyredisson.dashboard.source import Shared, Source

__all__ = ["Reads"]

_LONGEST_WORD = 8192
_EXAMINING = 10.0
"""Seconds that an answer waits for the doctor."""
_STAYS = 10.0
_RENEWED = 2.0
_EXAMINED = 100


class Reads:
    """Answers questions, which change nothing.

    Args:
        source: Redis.
        about: what the overview says of the dashboard itself.

    Attributes:
        overview: all queues.
    """

    def __init__(self, source: Source, about: dict[str, Any]) -> None:
        self._source, self.about = source, about
        self._findings: OrderedDict[str, Shared[Examination]] = OrderedDict()
        self.overview = Overview(source)

    async def all_queues(self, _request: Request) -> Response:
        """Answer all queues."""
        found = {"server": self._source.address, "version": __version__} | self.about
        return answer(found | await self.overview.document())

    async def queue(self, request: Request) -> Response:
        """Answer one queue."""
        name = name_in(request)
        future = self._source.submit(lambda redisson: queue_document(redisson, name, self._source))
        found = await self._source.answer(future)
        found["queue"]["history"] = self.overview.history.of(name)
        return answer({"server": self._source.address} | found)

    async def items(self, request: Request) -> Response:
        """Answer a page of items."""
        name, words = name_in(request), request.query_params
        state = next((each for each in STATES if each == words.get("state", "pending")), None)
        limit = words.get("limit", "50")
        if state is None:
            raise ValueError(f"state must be one of {', '.join(STATES)}")
        if not (limit.isascii() and limit.isdecimal() and 1 <= int(limit[:9]) <= MAX_ITEMS):
            raise ValueError(f"limit must be from 1 to {MAX_ITEMS}")
        if max(map(len, words.values())) > _LONGEST_WORD:
            raise ValueError("a parameter is too long")

        def read(redisson: Redisson) -> dict[str, Any]:
            return items_document(
                redisson,
                name,
                self._source.reading,
                state,
                limit=int(limit),
                after=words.get("after") or None,
                search=words.get("search", ""),
            )

        return answer(await self._source.answer(self._source.submit(read)))

    async def findings(self, request: Request) -> Response:
        """Answer what the doctor finds."""
        name = name_in(request)
        stays = _RENEWED if request.query_params.get("fresh") == "1" else _STAYS
        found = await self._source.answer(self._examined(name).get(stays), _EXAMINING)
        findings = [
            {
                "kind": each.kind,
                "level": each.severity,
                "text": printable(each.text),
                "remedy": None if each.remedy is None else printable(each.remedy),
                "docs": each.docs,
            }
            for each in found.findings
        ]
        texts = {"looked_at": found.looked_at, "notes": found.notes}
        shown = {key: [printable(each) for each in some] for key, some in texts.items()}
        return answer({"at": iso(datetime.now(UTC)), "findings": findings, **shown})

    def _examined(self, name: str) -> Shared[Examination]:
        """Return the examination of a queue, which all viewers share; only some are remembered."""
        codec = self._source.reading if self._source.given else None
        shared = self._findings.get(name)
        if shared is None:
            shared = self._findings[name] = Shared(
                lambda: self._source.submit(
                    lambda redisson: examine(redisson, name, codec), "examine"
                )
            )
        self._findings.move_to_end(name)
        if len(self._findings) > _EXAMINED:
            self._findings.popitem(last=False)
        return shared
