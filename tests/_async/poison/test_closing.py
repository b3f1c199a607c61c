"""A client that is closed does not lose an undecodable value that it has taken."""

from collections.abc import Callable
from typing import Any

import pytest
import redis

from pyredisson import AsyncBlockingDeque, AsyncRedisson, DecodeError
from pyredisson._async.link.link import AsyncLink
from pyredisson.codecs import LongCodec
from tests.support.server import RedisServer
from tests.support.state import shape

POISON = "pyredisson_poison:{q}"
TAKEN: dict[str, Callable[[AsyncBlockingDeque[int]], Any]] = {
    "poll": lambda q: q.poll(2),
    "take": lambda q: q.take(),
    "drainTo": lambda q: q.drain_to([]),
    "pollFromAny": lambda q: q.poll_from_any(1, "other"),
}


def after(monkeypatch: pytest.MonkeyPatch, step: Callable[[], Any]) -> None:
    """Run `step` between the reply and the push to the poison list."""
    quarantined = AsyncLink._quarantined

    async def later(self: AsyncLink, *given: Any) -> Any:
        await step()
        return await quarantined(self, *given)

    monkeypatch.setattr(AsyncLink, "_quarantined", later)


@pytest.mark.parametrize("call", TAKEN.values(), ids=TAKEN)
async def test_closed_client_keeps_an_undecodable_value(
    redisson: AsyncRedisson, raw: redis.Redis, monkeypatch: pytest.MonkeyPatch, call: Any
) -> None:
    after(monkeypatch, redisson.aclose)
    raw.rpush("q", "one")
    with pytest.raises(DecodeError, match=f"kept in the list {POISON!r}"):
        await call(redisson.get_blocking_deque("q", codec=LongCodec()))
    assert shape(raw) == {POISON: ["one"]}


async def test_error_has_the_undecodable_value_if_the_server_is_killed(
    own_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    redisson = AsyncRedisson.from_url(own_server.url, codec=LongCodec(), response_timeout=1)

    async def gone() -> None:
        own_server.kill()
        await redisson.aclose()

    after(monkeypatch, gone)
    queue = redisson.get_blocking_deque("q")
    own_server.run("RPUSH", "q", "one")
    with pytest.raises(DecodeError, match="save its bytes") as caught:
        await queue.take()
    assert (caught.value.raw, caught.value.kept_in) == (b"one", None)
