"""Users with exactly the rights of docs/rights.md: each public method works.

`tests/support/record_access.py` recorded the rights that each call needs. These tests check them
against a server; `tests/variants/test_missing_rights.py` removes one right at a time. The lines for
ready users are those of the page.
"""

import re
from collections.abc import Iterable
from typing import Any

import pytest

from pyredisson import AsyncRedisson
from pyredisson.codecs import StringCodec
from tests._async.link.acl_calls import calls, made
from tests._async.link.acl_objects import Given, seed
from tests.support.access import ROLES, TITLES, Role, accesses, pasted
from tests.support.rights import FRESH
from tests.support.server import RedisServer

CALLS = calls()
KINDS = list(dict.fromkeys(call.kind for call in CALLS))


async def there(server: RedisServer, root: Any, kind: str) -> Given:
    """Store the keys that calls of a kind find."""
    async with AsyncRedisson.from_url(server.url, codec=StringCodec()) as owner:
        return await seed(owner, root, kind)


def grant(root: Any, rights: Iterable[str]) -> None:
    """Give the user only these rights, without those for commands that the server does not have."""
    with root.pipeline(transaction=False) as pipeline:
        for right in ("", *rights):
            pipeline.execute_command("ACL", "SETUSER", "few", *([right] if right else FRESH))
        for reply in pipeline.execute(raise_on_error=False):
            assert not isinstance(reply, Exception) or "Unknown command" in str(reply)


def asks_for_rights(root: Any) -> bool:
    """Whether scripts can check a right; before Redis 7 they try the command."""
    return int(root.info("server")["redis_version"].partition(".")[0]) >= 7


def denied(root: Any) -> set[str]:
    """The commands that the server has rejected, without redis-py's CLIENT SETINFO."""
    return {entry["object"] for entry in root.acl_log()} - {"client|setinfo"}


def test_each_call_was_recorded() -> None:
    recorded = {f"{kind}: {label}" for kind, rows in accesses().items() for label in rows}
    assert {str(call) for call in CALLS} == recorded
    assert [kind for kind in KINDS if kind not in TITLES and "sharded" not in kind] == []


@pytest.mark.parametrize("kind", KINDS)
async def test_recorded_rights_suffice_for_each_call(
    acl_server: RedisServer, root: Any, kind: str
) -> None:
    given = await there(acl_server, root, kind)
    for call in CALLS:
        if call.kind != kind:
            continue
        access = accesses()[kind][call.label]
        rights = access.needs if asks_for_rights(root) else access.needs | access.also
        given.store(root)
        grant(root, rights)
        assert await made(acl_server, call, given, root) == "", call


@pytest.mark.parametrize("role", ROLES, ids=lambda role: role.name)
async def test_ready_user_can_make_the_calls_of_its_role(
    acl_server: RedisServer, root: Any, role: Role
) -> None:
    """The user has the page's line, for another queue name; the server rejects nothing."""
    root.acl_log_reset()
    for kind in role.calls:
        given = await there(acl_server, root, kind)
        labels = role.labels(kind)
        assert labels
        for call in CALLS:
            if call.kind == kind and call.label in labels:
                given.store(root)
                grant(root, pasted(role))
                assert await made(acl_server, call, given, root) == "", call
    assert denied(root) == set()


async def test_consumer_rights_suffice_without_blmpop() -> None:
    """Redis 6.2 does not have BLMPOP either."""
    (role,) = (each for each in ROLES if each.name == "consumer")
    with RedisServer("--rename-command", "BLMPOP", "") as server:
        root: Any = server.client()
        given = await there(server, root, "queue")
        for call in CALLS:
            if call.kind == "queue" and re.match(r"poll\(", call.label):
                given.store(root)
                grant(root, pasted(role))
                assert await made(server, call, given, root) == "", call
        assert denied(root) == set()
