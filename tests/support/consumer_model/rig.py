"""The servers of the model: one behind a proxy, or a cluster with a slot that may be moving."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from enum import Enum, auto
from types import TracebackType
from typing import Any, Self, TypeVar

import redis
from redis.crc import key_slot
from redis.exceptions import AskError

from pyredisson import Redisson
from pyredisson.codecs import StringCodec
from pyredisson.protocol.consumers.cleanup import reap
from pyredisson.protocol.delayed.delayed_queue import DelayedQueueProtocol
from pyredisson.protocol.kernel.names import ConsumerNames
from tests.support.clock import SteppedServer
from tests.support.consumer_model.passing import Passing
from tests.support.consumer_model.places import Command, Places, look
from tests.support.proxy import FaultProxy
from tests.support.server import RedisServer
from tests.support.topology import RedisCluster
from tests.support.twins import close_cluster, start

T = TypeVar("T")

NAMES = ConsumerNames.of("q")
_MANY = 1000


class Lost(Enum):
    """The result of a step whose reply was lost: its outcome is unknown."""

    LOST = auto()


LOST = Lost.LOST


class Rig:
    """Servers whose clocks move forward together with the library's, and a client of pyredisson."""

    def __init__(self) -> None:
        self.stack = ExitStack()
        self.ahead = 0.0
        self.passing = Passing()

    def _start(self) -> None:
        raise NotImplementedError

    @property
    def servers(self) -> list[SteppedServer]:
        """All servers."""
        raise NotImplementedError

    @property
    def home(self) -> RedisServer:
        """The server that has the queue."""
        raise NotImplementedError

    def client(self, **settings: Any) -> Redisson:
        """Return another client; the caller closes it."""
        raise NotImplementedError

    def observing(self) -> Redisson:
        """Return a client whose replies are never lost."""
        return self.client()

    def __enter__(self) -> Self:
        try:
            self._start()
            self.redisson = self.stack.enter_context(self.client())
            self.observer = self.stack.enter_context(self.observing())
            self.redisson.get_consumer(self.redisson.get_queue("q")).close()  # loads its modules
            self.stack.enter_context(self.passing)
        except BaseException:
            self.stack.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stack.close()

    # ---------------------------------------------------------- time

    def put_forward(self, seconds: float) -> None:
        """Put the clocks of all servers and of the library forward."""
        self.ahead += seconds
        for server in self.servers:
            server.step(self.ahead)
        self.passing.put_forward(seconds)

    def now_ms(self) -> int:
        """Return the time of the server that has the queue."""
        seconds, micros = self.home.run("TIME")
        return int(seconds) * 1000 + int(micros) // 1000

    # ---------------------------------------------------------- keys

    def read(self, commands: Sequence[Command]) -> list[Any]:
        """Run commands on the queue's keys."""
        raise NotImplementedError

    def places(self) -> Places:
        """Return the places of all messages."""
        return look(self.read, NAMES)

    def empty(self) -> None:
        """Finish a move of the slot, and delete all keys."""
        self.close_slot()
        for server in self.servers:
            server.run("FLUSHALL")

    def left(self) -> set[str]:
        """Return all keys except the names of consumers, which expire."""
        found = {key.decode() for server in self.servers for key in server.run("KEYS", "*")}
        return found - {NAMES.consumers}

    def transfer(self) -> None:
        """Transfer due items, as pyredisson's transfer tasks do."""
        protocol = DelayedQueueProtocol(NAMES.queue, StringCodec())
        self.run(lambda: self._request(protocol.transfer(self.now_ms(), _MANY)))

    def reap(self) -> None:
        """Requeue abandoned messages, as pyredisson's transfer tasks do."""
        self.run(lambda: self._request(reap(NAMES)))

    def _request(self, operation: Any) -> Any:
        return self.redisson._context.link.request(operation)

    # ---------------------------------------------------------- steps

    @property
    def slot_is_open(self) -> bool:
        """Whether the queue's slot is moving."""
        return False

    def run(self, step: Callable[[], T]) -> T:
        """Call the library."""
        return step()

    def close_slot(self) -> None:
        """Finish the move of the slot, if it is moving."""

    @contextmanager
    def losing(self) -> Iterator[None]:
        """Lose the next reply to a client, and reset its connection, if the rig can do this."""
        yield

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Freeze the server that has the queue; afterwards it runs the requests sent meanwhile."""
        server = self.home
        server.pause()
        try:
            yield
        finally:
            server.resume()
            server.run("PING")


class Single(Rig):
    """One server; the client connects through a proxy."""

    def _start(self) -> None:
        self._server = self.stack.enter_context(SteppedServer())
        self._proxy = self.stack.enter_context(FaultProxy(self._server))
        self._raw: Any = self._server.client(protocol=2)
        self._raw.response_callbacks.clear()

    @property
    def servers(self) -> list[SteppedServer]:
        """The only server, in a list."""
        return [self._server]

    @property
    def home(self) -> RedisServer:
        """The only server."""
        return self._server

    def client(self, **settings: Any) -> Redisson:
        """Return another client, through the proxy."""
        return Redisson.from_url(self._proxy.url, codec=StringCodec(), **settings)

    def observing(self) -> Redisson:
        """Return a client that does not use the proxy."""
        return Redisson.from_url(self._server.url, codec=StringCodec())

    def read(self, commands: Sequence[Command]) -> list[Any]:
        """Run commands in one transaction."""
        with self._raw.pipeline() as pipeline:
            for command in commands:
                pipeline.execute_command(*command)
            found: list[Any] = pipeline.execute()
        return found

    @contextmanager
    def losing(self) -> Iterator[None]:
        """Lose the next reply to a client, and reset its connection."""
        self._proxy.drop_replies(1, cut=True)
        try:
            yield
        finally:
            self._proxy.heal()


class Clustered(Rig):
    """Three masters. The queue's slot may be open: its keys move to another master one by one."""

    def _start(self) -> None:
        self._cluster = self.stack.enter_context(RedisCluster(server=SteppedServer))
        for server in self._cluster.servers:  # a step of the clock must not fail a node
            server.run("CONFIG", "SET", "cluster-node-timeout", 10**12)
        self._raw = {
            server.port: self.stack.enter_context(
                redis.Redis(port=server.port, protocol=2, single_connection_client=True)
            )
            for server in self._cluster.servers
        }
        for client in self._raw.values():
            client.response_callbacks.clear()
        self._source = self._cluster.master_of(b"q")
        self._target: RedisServer | None = None
        self._clients: list[Any] = []
        self.stack.callback(self._close_clients)

    def _close_clients(self) -> None:
        while self._clients:
            close_cluster(self._clients.pop())

    @property
    def servers(self) -> list[SteppedServer]:
        """All nodes."""
        return [each for each in self._cluster.servers if isinstance(each, SteppedServer)]

    @property
    def home(self) -> RedisServer:
        """The master of the queue's slot; during a move, the old one."""
        return self._source

    def client(self, **settings: Any) -> Redisson:
        """Return another client of the cluster."""
        client = self._cluster.client()
        self._clients.append(client)
        return Redisson(client, codec=StringCodec(), **settings)

    def read(self, commands: Sequence[Command]) -> list[Any]:
        """Run commands of one key, each on the node that has the key."""
        return [self._read_one(command) for command in commands]

    def _read_one(self, command: Command) -> Any:
        client: Any = self._raw[self._source.port]
        if self._target is None:
            return client.execute_command(*command)
        try:
            return client.execute_command(*command)
        except AskError:
            pass
        client = self._raw[self._target.port]
        client.execute_command("ASKING")
        return client.execute_command(*command)

    # ---------------------------------------------------------- the slot

    @property
    def slot_is_open(self) -> bool:
        """Whether the queue's slot is moving."""
        return self._target is not None

    def open_slot(self, which: int) -> None:
        """Start to move the slot to one of the other masters."""
        others = [server for server in self._cluster.servers if server is not self._source]
        self._target = others[which]
        self._cluster.begin_move(b"q", self._target)

    def keys(self) -> list[bytes]:
        """Return the keys of the slot that have not moved yet."""
        found: list[bytes] = self._source.run("CLUSTER", "GETKEYSINSLOT", key_slot(b"q"), 100)
        return sorted(found)

    def move(self, key: bytes) -> None:
        """Move a key of the open slot."""
        assert self._target is not None
        self._source.run("MIGRATE", "127.0.0.1", self._target.port, key, 0, 10_000)

    def close_slot(self) -> None:
        """Move the remaining keys, and assign the slot to the other master."""
        if self._target is None:
            return
        self._cluster.finish_move(b"q", self._target)
        self._source, self._target = self._target, None

    def run(self, step: Callable[[], T]) -> T:
        """Call the library; if it waits for the end of the move, finish the move."""
        if not self.slot_is_open:
            return step()
        running = start(step)
        try:
            return running.result(0.1)
        except TimeoutError:
            if running.done:
                raise
        self.close_slot()
        return running.result()
