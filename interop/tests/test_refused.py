"""A transfer of Python's that is refused beside Java's: each item arrives once.

Then Java leaves, and the right is granted again.
"""

from collections import Counter
from contextlib import ExitStack
from typing import Any

import pytest

from interop.tests.conftest import Peers
from interop.tests.support.fleet import connect
from pyredisson import Redisson
from pyredisson.codecs import StringCodec
from pyredisson.protocol.kernel.names import QueueNames
from tests.support.server import RedisServer
from tests.support.twins import until

NAMES = QueueNames.of("q")
COUNT = 100


@pytest.mark.parametrize("taken", ["lrem", "zrem"])
@pytest.mark.parametrize("release", ["4.7.0", "3.19.3"])
def test_each_item_arrives_once_while_one_side_is_refused(
    release: str, taken: str, java: Peers, server: RedisServer
) -> None:
    with ExitStack() as stack:
        raw: Any = stack.enter_context(server.client())
        stack.callback(raw.execute_command, "ACL", "DELUSER", "few")
        words = ("reset", "on", ">p", "~*", "&*", "+@all", f"-{taken}")
        raw.execute_command("ACL", "SETUSER", "few", *words)
        few = f"redis://few:p@127.0.0.1:{server.port}/0"
        client = stack.enter_context(connect(java(release), server.url, codec="String"))
        java_queue = client.delayed_queue("q").open()
        python = stack.enter_context(
            Redisson.from_url(few, codec=StringCodec(), wire_format=release, safety_interval=0.05)
        )
        delayed = python.get_delayed_queue(python.get_queue("q"))
        until(lambda: python.transfer_stats()[0].refused is not None, "ours is refused")
        offered = []
        for number in range(COUNT):
            java_queue.call("offer", f"java-{number}", number * 5, "MILLISECONDS")
            delayed.offer(f"python-{number}", delay=number / 200)
            offered += [f"java-{number}".encode(), f"python-{number}".encode()]
        until(lambda: not raw.exists(NAMES.timeout_set, NAMES.delay_list), "Java moves all of it")
        assert Counter(raw.lrange("q", 0, -1)) == Counter(offered)
        until(lambda: python.transfer_stats()[0].failures > 5, "ours has tried")
        (stats,) = python.transfer_stats()
        assert stats.runs == 0

        java_queue.destroy()
        delayed.offer("last", delay=0)
        until(lambda: python.transfer_stats()[0].failures > stats.failures + 3, "ours is refused")
        assert raw.llen(NAMES.delay_list) == raw.zcard(NAMES.timeout_set) == 1
        raw.execute_command("ACL", "SETUSER", "few", f"+{taken}")
        until(lambda: not raw.exists(NAMES.timeout_set, NAMES.delay_list), "ours moves it")
        assert Counter(raw.lrange("q", 0, -1)) == Counter([*offered, b"last"])
