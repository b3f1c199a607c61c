"""Clients of both languages on one queue, and which of them may transfer.

Rule: in Java a delayed queue always transfers, from its creation on. Where it must not, it logs in
as a user without the right to ZRANGEBYSCORE. Then everything but its transfer script works, and
that script fails at its first command.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import redis

from interop.peer import JavaError, JavaPeer, UnavailableError
from interop.peer.build import MATRIX
from interop.peer.redisson import JavaClient
from interop.tests.support.trace import calls_of, until_called
from pyredisson.codecs import Codec, JsonJacksonCodec, Kryo5Codec, LongCodec, StringCodec
from tests.support.server import RedisServer
from tests.support.services import unavailable

CODECS: dict[str, Callable[[], Codec[Any]]] = {
    "String": StringCodec,
    "Long": LongCodec,
    "Kryo5": Kryo5Codec,
    "JsonJackson": JsonJacksonCodec,
}
"""By the name that the Java peer uses."""

_PRODUCER = "redis://producer:p@"


def url_without_transfer(server: RedisServer) -> str:
    """Return an address for a Java client whose transfer script is refused."""
    with redis.Redis(port=server.port) as raw:
        run: Any = raw.execute_command
        words = ("on", ">p", "~*", "&*", "+@all", "-zrangebyscore")
        run("ACL", "SETUSER", "producer", "reset", *words)
    return f"{_PRODUCER}127.0.0.1:{server.port}/0"


@contextmanager
def own_peer(environment: Mapping[str, str] | None = None) -> Iterator[JavaPeer]:
    """Yield a local JVM of the newest release, for tests that kill it or set its environment."""
    peer = JavaPeer(MATRIX[0], environment=environment or {})
    try:
        peer.start()
    except UnavailableError as error:
        unavailable(f"no Java peer: {error}")
    try:
        yield peer
    finally:
        peer.stop()


def connect(peer: JavaPeer, *urls: str, **options: Any) -> JavaClient:
    """Return a client that has subscribed once, and whose first transfer is over.

    Java does not wait for its first transfer, so it could come during the test. Releases before
    3.23.3 sometimes lose the permit of their very first subscription, most of all on a busy machine
    ("Unable to acquire subscription lock", redisson/redisson#5046 and #5219). Such a client never
    subscribes, so another one is made.
    """
    for last in (False, False, True):
        client = peer.client(*urls, **options)
        try:
            _subscribe(client, urls[0], waits=options.get("mode", "single") == "single")
        except JavaError as error:
            client.shutdown()
            if last or "subscription lock" not in str(error):
                raise
        else:
            break
    return client


def _subscribe(client: JavaClient, url: str, *, waits: bool) -> None:
    """Open a delayed queue, wait for its transfer if it can have one, and leave nothing."""
    with redis.Redis.from_url(url) as raw:
        waits = waits and not url.startswith(_PRODUCER)
        before = calls_of(raw, "zrangebyscore") if waits else 0
        first = client.delayed_queue("first-subscription").open()
        if waits:
            until_called(raw, "zrangebyscore", before)
        first.destroy()
