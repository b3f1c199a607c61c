"""A call is rejected if its user does not have one of the rights that it needs.

The server decides that, and both variants send the same commands. So these tests use the
asynchronous variant alone.
"""

from typing import Any

import pytest

from tests._async.conftest import acl_server, root
from tests._async.link.acl_calls import made
from tests._async.link.test_rights import CALLS, KINDS, asks_for_rights, grant, there
from tests.support.access import accesses
from tests.support.server import RedisServer

__all__ = ["acl_server", "root"]


@pytest.mark.parametrize("kind", KINDS)
async def test_call_fails_without_any_one_of_its_rights(
    acl_server: RedisServer, root: Any, kind: str
) -> None:
    if not asks_for_rights(root):
        pytest.skip(
            "before Redis 7, a script tries a command, and the server does not say in advance"
        )
    given = await there(acl_server, root, kind)
    known: set[frozenset[str]] = set()
    for call in (each for each in CALLS if each.kind == kind):
        needs = accesses()[kind][call.label].needs
        if needs in known:
            continue
        known.add(needs)
        for right in needs:
            given.store(root)
            grant(root, needs - {right})
            assert await made(acl_server, call, given, root), f"{call} without {right}"
