"""The routes of the dashboard, and what failures answer."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pyredisson.dashboard.answers import answer, answer_to, status_of
from pyredisson.dashboard.changes import Changes
from pyredisson.dashboard.reads import Reads
from pyredisson.dashboard.security import Sessions

__all__ = ["routes_of"]

log = logging.getLogger("pyredisson")

_Handler = Callable[[Request], Awaitable[Response]]


def routes_of(
    reads: Reads, changes: Changes, sessions: Sessions | None, address: str
) -> list[Route]:
    """Return the routes below `api/`.

    Args:
        reads: answers questions; with a token, only for a session.
        changes: answers the rest.
        sessions: the sessions that have signed in; None without a token.
        address: of Redis, for errors.
    """

    def answered(handler: _Handler) -> _Handler:
        async def run(request: Request) -> Response:
            try:
                return await handler(request)
            except Exception as error:
                if status_of(error) == 500:
                    log.exception("the dashboard cannot answer")
                return answer_to(error, address)

        return run

    def signed_in(handler: _Handler) -> _Handler:
        async def run(request: Request) -> Response:
            if sessions is not None:
                sessions.require(request)
            return await handler(request)

        return answered(run)

    async def session(request: Request) -> Response:
        """Return what the page may request, also without a session."""
        is_known = sessions is not None and sessions.of(request) is not None
        return answer(reads.about | {"signed_in": is_known})

    return [
        Route("/api/session", answered(session)),
        Route("/api/overview", signed_in(reads.all_queues)),
        Route("/api/queue", signed_in(reads.queue)),
        Route("/api/findings", signed_in(reads.findings)),
        Route("/api/items", signed_in(reads.items)),
        Route("/api/sign-in", answered(changes.sign_in), methods=["POST"]),
        Route("/api/sign-out", answered(changes.sign_out), methods=["POST"]),
        Route("/api/actions/{action}", answered(changes.act), methods=["POST"]),
    ]
