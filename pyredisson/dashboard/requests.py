"""What requests of the dashboard carry: names, addresses, bodies."""

from __future__ import annotations

import json
from typing import Any

from starlette.requests import Request

from pyredisson.dashboard.security import RejectedError

__all__ = ["address_of", "body_of", "name_in"]

_LONGEST_BODY = 65_536
_LONGEST_NAME = 1024


def name_in(request: Request) -> str:
    """Return the name of the queue that is asked for.

    Raises:
        ValueError: it is missing, or too long.
    """
    name = request.query_params.get("name", "")
    if not 0 < len(name) <= _LONGEST_NAME:
        raise ValueError(f"name must be a queue's name with 1 to {_LONGEST_NAME} characters")
    return name


def address_of(request: Request) -> str:
    """Return where a request comes from."""
    return request.client.host if request.client else "a local socket"


async def body_of(request: Request) -> dict[str, Any]:
    """Return the JSON object of a request.

    Raises:
        RejectedError: it is too long, or of another type.
        ValueError: it is no JSON object.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise RejectedError(415, "Content-Type must be application/json")
    data = b""
    async for part in request.stream():
        data += part
        if len(data) > _LONGEST_BODY:
            raise RejectedError(413, f"a request has at most {_LONGEST_BODY} bytes")
    try:
        found = json.loads(data or b"{}")
    except (ValueError, RecursionError) as error:
        raise ValueError(f"the request is no JSON: {error}") from None
    if not isinstance(found, dict):
        raise ValueError("the request must be a JSON object")
    return found
