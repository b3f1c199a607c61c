"""Signing in, and what the page changes."""

from __future__ import annotations

import asyncio
import math
from concurrent.futures import Future
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from pyredisson.admin.json_values import printable
from pyredisson.dashboard.actions import ACTIONS, Done
from pyredisson.dashboard.answers import answer, status_of
from pyredisson.dashboard.audit import audit
from pyredisson.dashboard.orders import Order
from pyredisson.dashboard.requests import address_of, body_of
from pyredisson.dashboard.security import Guard, RejectedError, Sessions
from pyredisson.dashboard.source import Source
from pyredisson.dashboard.throttle import Throttle

__all__ = ["Changes"]

_ACTING = 10.0
"""Seconds that an answer waits for an action."""
_WRONG_TOKEN = 0.3
"""Seconds before the answer to a wrong token."""


class Changes:
    """Answers what needs the page itself, and writes a line about it.

    Args:
        source: Redis.
        guard: knows the page's own requests.
        sessions: knows the token; None without one.
        actions: whether something may be changed.
    """

    def __init__(
        self, source: Source, guard: Guard, sessions: Sessions | None, *, actions: bool
    ) -> None:
        self._source, self._guard, self._sessions = source, guard, sessions
        self._actions = actions
        self._throttle = Throttle()

    async def sign_in(self, request: Request) -> Response:
        """Begin a session."""
        who = address_of(request)
        try:
            return await self._signed_in(request, who)
        except (RejectedError, ValueError) as error:
            audit("sign-in", who, f"refused: {error}")
            raise

    async def _signed_in(self, request: Request, who: str) -> Response:
        self._guard.check_own_page(request)
        if self._sessions is None:
            raise RejectedError(409, "this dashboard has no token: nobody needs to sign in")
        token = (await body_of(request)).get("token")
        if not isinstance(token, str):
            raise ValueError("`token` must be a text")
        if seconds := self._throttle.wait(who):
            raise RejectedError(
                429, f"too many wrong tokens: try again in {seconds:.0f} s", math.ceil(seconds)
            )
        if not self._sessions.is_token(token):
            self._throttle.failed(who)
            await asyncio.sleep(_WRONG_TOKEN)
            raise RejectedError(403, "this is not the dashboard's token")
        cookie = self._sessions.begin()
        audit("sign-in", f"{who} session {cookie.partition('.')[0]}", "signed in")
        found = Response(status_code=204)
        found.set_cookie(self._sessions.cookie, cookie, **_cookie_options(request))
        return found

    async def sign_out(self, request: Request) -> Response:
        """End a session."""
        self._guard.check_own_page(request)
        found = Response(status_code=204)
        if self._sessions is not None and (session := self._sessions.of(request)) is not None:
            self._sessions.end(session)
            audit("sign-out", f"{address_of(request)} session {session}", "signed out")
            found.set_cookie(
                self._sessions.cookie, "", **(_cookie_options(request) | {"max_age": 0})
            )
        return found

    async def act(self, request: Request) -> Response:
        """Run an action."""
        action, who, order = request.path_params["action"], address_of(request), None
        try:
            if self._sessions is not None:
                who = f"{who} session {self._sessions.require(request)}"
            self._guard.check_own_page(request)
            if not self._actions:
                raise RejectedError(403, "actions are off: start the dashboard with --actions")
            if action not in ACTIONS:
                raise RejectedError(404, f"no such action: there are {', '.join(ACTIONS)}")
            order = Order.of(action, await body_of(request))
        except (RejectedError, ValueError, RecursionError) as error:
            audit(action, who, f"refused: {error}")
            raise
        return await self._done(order, who)

    async def _done(self, order: Order, who: str) -> Response:
        def note(future: Future[Done]) -> None:
            outcome = "not started: too many actions are under way"
            if not future.cancelled():
                error = future.exception()
                outcome = future.result().text if error is None else f"failed: {error}"
            audit(order.action, who, outcome, queue=order.name, what=order.what)

        run = ACTIONS[order.action]
        future = self._source.submit(lambda redisson: run(redisson, order, self._source), "act")
        future.add_done_callback(note)
        try:
            done = await self._source.answer(future, _ACTING)
        except Exception as error:
            if future.cancelled():
                raise RejectedError(429, "too many actions are under way: try again", 10) from None
            if not future.done():
                text = f"{order.action} goes on; the log will say when it has ended"
                return answer({"done": None, "text": text}, 202)
            if status_of(error) != 503:
                raise
            text = f"{error}: {order.action} may be done, or in part: look before you repeat it"
            raise RejectedError(503, text) from error
        return answer({"done": done.count, "text": printable(done.text), **done.more})


def _cookie_options(request: Request) -> dict[str, Any]:
    return {
        "max_age": Sessions.LONGEST,
        "path": f"{request.scope.get('root_path', '')}/",
        "secure": request.url.scheme == "https",
        "httponly": True,
        "samesite": "strict",
    }
