"""A worker counts each delivery once, whatever happens to it and to replies."""

import threading
from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from pyredisson import Backoff, Defer, Hooks, Message, Redisson, Worker
from pyredisson.codecs import StringCodec
from tests.support.consuming import end_leases, traces
from tests.support.proxy import FaultProxy
from tests.support.server import RedisServer
from tests.support.topology import wait_until

SETTLED = {b"*1\r\n:1\r\n", b":1\r\n"}
"""The replies to an acknowledgement and to all other commands that settle."""

KINDS = ["done", "retried", "deferred", "dead", "dropped", "acked", "rejected", "ended", "raised"]


class Loser:
    """Drops `left` replies to commands that settle, and then resets the connections."""

    def __init__(self, proxy: FaultProxy) -> None:
        self._proxy = proxy
        self.left = 0
        self._losing = False
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._cut, daemon=True)

    def __enter__(self) -> "Loser":
        self._proxy.filter_replies(self._judge)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _judge(self, frame: bytes) -> bytes | None:
        if self.left > 0 and frame in SETTLED and not self._losing:
            self._losing, self.left = True, self.left - 1
        return None if self._losing else frame

    def _cut(self) -> None:
        while not self._ended.wait(0.002):
            if self._losing:
                self._proxy.reset_all()
                self._losing = False


class Shift(Hooks):
    """Handles each message as its value says, the first time; counts the calls of the hooks."""

    def __init__(self, raw: Any) -> None:
        self.raw = raw
        self.told = Counter[str]()
        self.seen = set[str]()

    def handle(self, message: Message[str]) -> None:
        kind = message.value.partition(" ")[0]
        if message.value in self.seen:
            return
        self.seen.add(message.value)
        errors = {
            "retried": ValueError("again"),
            "raised": SystemExit(1),
            "deferred": Defer(0.01),
            "dead": KeyError("dead"),
            "dropped": IndexError("dropped"),
        }
        if kind == "acked":
            message.ack()
        elif kind == "rejected":
            message.reject("by hand")
        elif kind == "ended":
            end_leases(self.raw)
        elif kind in errors:
            raise errors[kind]

    def handle_all(self, messages: list[Message[str]]) -> None:
        """Handle a batch, which fails as a whole with the last error."""
        error: BaseException | None = None
        for message in messages:
            try:
                self.handle(message)
            except BaseException as raised:
                error = raised
        if error is not None:
            raise error

    def on_deliver(self, queue: str, message: Any) -> None:
        self.told["deliver"] += 1

    def on_ack(self, queue: str, message: Any) -> None:
        self.told["ack"] += 1

    def on_retry(self, queue: str, message: Any, error: Exception, delay: float) -> None:
        self.told["retry"] += 1

    def on_dead_letter(
        self, queue: str, message: Any, reason: str, error: Exception | None
    ) -> None:
        self.told["dead"] += 1

    def on_drop(self, queue: str, message: Any, error: Exception | None) -> None:
        self.told["drop"] += 1

    def on_lease_end(self, queue: str, message: Any) -> None:
        self.told["lost"] += 1


@settings(max_examples=10)
@given(
    st.lists(st.sampled_from(KINDS), min_size=1, max_size=20),
    st.integers(0, 3),
    st.sampled_from([1, 3]),
)
def test_each_delivery_is_counted_once(
    shared_server: RedisServer, kinds: list[str], losses: int, batch_size: int
) -> None:
    values = [f"{kind} {number}" for number, kind in enumerate(kinds)]
    with shared_server.client() as raw, FaultProxy(shared_server) as proxy, Loser(proxy) as loser:
        raw.flushall()
        shift = Shift(raw)
        settings: Any = {"codec": StringCodec(), "response_timeout": 1, "hooks": shift}
        with Redisson.from_url(proxy.url, **settings) as redisson:
            worker = Worker(
                redisson,
                redisson.get_queue("q"),
                shift.handle if batch_size == 1 else shift.handle_all,
                concurrency=4,
                lease=1,
                max_deliveries=1000,
                backoff=Backoff(first=0.01, limit=0.01),
                on_error={KeyError: "dead", IndexError: "drop"},
                batch_size=batch_size,
                pass_message=True,
            )
            running = threading.Thread(target=worker.run)
            running.start()
            loser.left = losses
            raw.rpush("q", *values)

            def over() -> bool:
                left = traces(raw) - {"dead", "dead_letters"}
                return shift.seen == set(values) and not left and not raw.exists("q")

            wait_until(over, "all are settled")
            worker.stop()
            running.join()
    stats, told = worker.stats(), shift.told
    counts = [
        stats.done,
        stats.retried,
        stats.deferred,
        stats.dead,
        stats.dropped,
        stats.lease_expired,
    ]
    assert min(counts) >= 0
    assert sum(counts) == told["deliver"]
    by_handlers = kinds.count("acked") + kinds.count("rejected")
    assert told["ack"] <= stats.done <= told["ack"] + by_handlers
    assert (told["drop"], told["lost"]) == (stats.dropped, stats.lease_expired)
    assert told["retry"] == stats.retried + stats.deferred
    assert told["dead"] == stats.dead
    assert stats.running == 0
