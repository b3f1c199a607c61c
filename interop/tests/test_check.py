"""The check finds what Java's `retainAll` leaves behind, and repairs it as asked."""

from typing import Any

import pytest

from interop.tests.conftest import Peers
from interop.tests.support.fleet import connect, url_without_transfer
from pyredisson import FindingKind, Redisson
from pyredisson.codecs import StringCodec
from tests.support.server import RedisServer


@pytest.mark.parametrize("release", ["3.19.3", "4.7.0"])
@pytest.mark.parametrize("orphans", ["deliver", "drop"])
def test_check_repairs_what_retain_all_leaves(
    java: Peers, shared_server: RedisServer, raw: Any, release: str, orphans: Any
) -> None:
    """Java knows the items again if they are delivered, and no longer if they are dropped."""
    with (
        connect(java(release), url_without_transfer(shared_server)) as client,
        Redisson.from_url(shared_server.url, codec=StringCodec()) as python,
    ):
        theirs = client.delayed_queue("q", codec="String")
        delayed = python.get_delayed_queue(python.get_queue("q"), transfer=False)
        for value in "ABC":
            theirs.call("offer", value, 1, "HOURS")
        assert delayed.check() == []
        assert theirs.call("retainAll", ["B"]) is True
        assert theirs.call("readAll") == ["B"]
        [found] = delayed.check()
        assert (found.kind, found.count) == (FindingKind.TIMEOUT_SET_ONLY, 2)
        assert {example[-1:] for example in found.examples} == {b"A", b"C"}
        [done] = delayed.repair(dry_run=False, orphans=orphans)
        assert done.count == 2
        assert delayed.check() == []
        left = theirs.call("readAll")
        assert (
            left == ["B", *sorted(left[1:])] == (["B", "A", "C"] if orphans == "deliver" else ["B"])
        )
        for value in left:
            assert theirs.call("remove", value) is True
        assert raw.zcard(delayed._protocol.names.timeout_set) == 0
        theirs.destroy()
    assert raw.keys() == []
