"""Answers as JSON, and what each error answers."""

from __future__ import annotations

import json
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import Response

from pyredisson import ClosedError, RedissonError
from pyredisson.admin.json_values import printable
from pyredisson.dashboard.security import RejectedError
from pyredisson.server_errors import ClusterDownError, ReplyError, ServerError, TryAgainError

__all__ = ["answer", "answer_to", "status_of"]

_WAITS = (ClusterDownError, TryAgainError, ClosedError)


def answer(document: dict[str, Any], status: int = 200) -> Response:
    """Return a JSON answer, in ASCII: a value may be half of a character."""
    return Response(json.dumps(document), status, media_type="application/json")


def answer_to(error: Exception, address: str) -> Response:
    """Return the answer to a request that failed, with one line that says what to do.

    Args:
        error: why it failed.
        address: of Redis.
    """
    status = status_of(error)
    text = error.detail if isinstance(error, HTTPException) else str(error)
    if status == 503 and not isinstance(error, RejectedError):
        text = f"{address} does not answer ({text}): check Redis"
    elif status == 500:
        text = "the dashboard failed: its log says why"
    found = answer({"error": printable(" ".join(text.split()))}, status)
    if isinstance(error, RejectedError) and error.retry_after is not None:
        found.headers["Retry-After"] = str(error.retry_after)
    return found


def status_of(error: Exception) -> int:
    """Return the HTTP status of an error; 500 for an unexpected one."""
    if isinstance(error, RejectedError):
        return error.status
    if isinstance(error, HTTPException):
        return error.status_code
    if isinstance(error, ReplyError) and not isinstance(error, _WAITS):
        return 409
    if isinstance(error, ServerError | OSError | ClosedError):
        return 503
    if isinstance(error, ValueError):
        return 400
    return 409 if isinstance(error, RedissonError) else 500
