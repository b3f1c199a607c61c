"""Java's RedissonClient and its objects, as the tests use them.

Rule: nothing is translated: methods have Redisson's names, and ``typed`` returns each value with
its Java type.
"""

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self
from uuid import uuid4

from interop.peer.values import Java, to_json
from interop.peer.wire import TIMEOUT, Pending, Reply, Wire


@dataclass(frozen=True)
class Drained:
    """The result of a drain: the values, and when each came (Java's clock, epoch ms)."""

    values: list[Any]
    at: list[int]

    def lateness(self) -> list[int]:
        """Return the milliseconds between due and received, for values offered with ``stamp``."""
        due = [int(value.rpartition("@")[2]) for value in self.values]
        return [at - then for at, then in zip(self.at, due, strict=True)]


class JavaObject:
    """A Redisson object: a queue, a deque, a delayed queue..., by its kind and name.

    It is made in Java at its first use and stays one object; ``handle`` distinguishes two objects
    of the same name.
    """

    def __init__(
        self,
        wire: Wire,
        client: str,
        kind: str,
        name: str,
        codec: str | None,
        handle: str,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self._wire = wire
        self._target: dict[str, Any] = {
            "client": client,
            "kind": kind,
            "name": name,
            "codec": codec,
            "handle": handle,
            "options": options,
        }

    def __repr__(self) -> str:
        return "<Java {kind} {name!r} codec {codec}>".format(**self._target)

    def background(self, method: str, *arguments: Any) -> Pending:
        """Call a method and do not wait: ``Pending.result`` returns its reply."""
        spelled = [to_json(each) for each in arguments]
        return self._wire.send(self._target | {"cmd": "call", "method": method, "args": spelled})

    def reply(self, method: str, *arguments: Any, timeout: float = TIMEOUT) -> Reply:
        """Call a method; return its whole reply (``value``, ``out`` for a drainTo, ``ms``)."""
        return self.background(method, *arguments).result(timeout)

    def typed(self, method: str, *arguments: Any, timeout: float = TIMEOUT) -> Java:
        """Call a method; return its value with the Java type."""
        return self.reply(method, *arguments, timeout=timeout).value

    def call(self, method: str, *arguments: Any, timeout: float = TIMEOUT) -> Any:
        """Call a method; return its value as a plain Python value.

        Besides Redisson's methods "iterator.remove" is possible. It removes through the iterator
        what equals its argument, and returns all that it saw.
        """
        return self.typed(method, *arguments, timeout=timeout).plain()

    def open(self) -> Self:
        """Make the object now: a delayed queue's transfer task starts."""
        self._wire.request(self._target | {"cmd": "open"})
        return self

    def destroy(self) -> None:
        """Call ``destroy()`` and forget the object: the next use makes a new one."""
        self._wire.request(self._target | {"cmd": "destroy"})

    def offering(self, count: int, **options: Any) -> Pending:
        """``offer_many`` that does not wait."""
        return self._wire.send(self._target | {"cmd": "offer_many", "count": count, **options})

    def offer_many(self, count: int, *, timeout: float = TIMEOUT, **options: Any) -> dict[str, Any]:
        """Offer values numbered from ``first`` (0), by one request.

        Options: ``delay`` (least, most) in ms drawn with ``seed``; ``type`` "string" (``prefix``
        and the number; with ``stamp`` "@" and the due time in epoch ms), "long" or "int";
        ``window``, the offers under way at once (50). Returns count, errors, start and end (epoch
        ms), and error: the first one.
        """
        done: dict[str, Any] = self.offering(count, **options).result(timeout).result
        return done

    def measure_offers(
        self, value: str, seconds: float, *, threads: int = 0, window: int = 1
    ) -> dict[str, float]:
        """Offer a value as fast as possible, for 1 to 2 hours from now.

        ``threads`` wait for each offer. Without threads the offers are asynchronous, ``window`` at
        once. Returns count, seconds, and cpu: the seconds of processor time of Java's process.
        """
        request = {"cmd": "measure_offers", "value": value, "seconds": seconds}
        request |= {"threads": threads, "window": window, "delay": [3_600_000, 7_200_000]}
        done: dict[str, float] = self._wire.request(
            self._target | request, timeout=seconds + 30
        ).result
        return done

    def repeating(self, count: int, *calls: tuple[Any, ...]) -> Pending:
        """``repeat`` that does not wait."""
        spelled = [[to_json(each) for each in call] for call in calls]
        return self._wire.send(self._target | {"cmd": "repeat", "calls": spelled, "count": count})

    def repeat(self, count: int, *calls: tuple[Any, ...], timeout: float = TIMEOUT) -> float:
        """Make calls in turns in one Java thread, each a method and its arguments.

        Returns how many seconds all of them took together, ``count`` times.
        """
        return float(self.repeating(count, *calls).result(timeout).result["seconds"])

    def hand_over(self, count: int, *, timeout: float = TIMEOUT) -> float:
        """Release a lock for another Java thread, ``count`` times; return the seconds it waited."""
        request = self._target | {"cmd": "hand_over", "count": count}
        return float(self._wire.request(request, timeout=timeout).result["seconds"])

    def draining(self, seconds: float, count: int | None = None, threads: int = 1) -> Pending:
        """``drain`` that does not wait; its end is ``drained(pending)``."""
        request = {"cmd": "drain", "seconds": seconds, "threads": threads}
        if count is not None:
            request["count"] = count
        return self._wire.send(self._target | request)

    def drained(self, pending: Pending, timeout: float = TIMEOUT) -> Drained:
        """Return what a ``draining`` received."""
        result = pending.result(timeout).result
        if "error" in result:
            raise AssertionError(f"a consumer failed: {result['error']}")
        values = [Java.from_json(each).plain() for each in result["values"]]
        return Drained(values, result["at"])

    def drain(self, seconds: float, count: int | None = None, threads: int = 1) -> Drained:
        """Poll with Java consumers until ``count`` values came or ``seconds`` are over.

        A last poll may take a second longer, because Redisson counts in whole seconds.
        """
        return self.drained(self.draining(seconds, count, threads), timeout=seconds + 30)

    def listen(
        self, method: str = "subscribeOnElements", *, fails: bool = False, of: str | None = None
    ) -> "Listener":
        """Subscribe on elements; with ``fails`` the consumer throws at each of them.

        ``listen("addListener")`` adds a listener to a topic; ``Listener.heard`` returns its
        messages. With ``of``, the class of a listener, it adds such a listener, and its events are
        returned as text.
        """
        name = uuid4().hex
        request = {"cmd": "listen", "listener": name, "method": method, "fails": fails, "of": of}
        self._wire.request(self._target | request)
        return Listener(self, self._wire, name)


class Listener:
    """A subscription on elements."""

    def __init__(self, target: JavaObject, wire: Wire, name: str) -> None:
        self._target = target
        self._wire = wire
        self._name = name

    def heard(self) -> Drained:
        """Return what it has received so far."""
        result = self._wire.request({"cmd": "heard", "listener": self._name}).result
        return Drained([Java.from_json(each).plain() for each in result["values"]], result["at"])

    def stop(self) -> None:
        """Unsubscribe."""
        result = self._wire.request({"cmd": "heard", "listener": self._name}).result
        self._target.call("unsubscribe", Java.from_json(result["number"]))


class JavaClient:
    """One RedissonClient; leaving it as a context manager shuts it down.

    ``mode`` is single, cluster or sentinel (``urls`` are then the nodes', ``master`` the master's
    name); ``codec`` the client's default; ``use_script_cache`` and ``name_prefix`` (a NameMapper)
    as named; ``settings`` any other setters, of the server's configuration or the common one, as
    in ``{"retryAttempts": 0, "timeout": 1000}``.
    """

    def __init__(
        self,
        wire: Wire,
        urls: Sequence[str],
        *,
        mode: str = "single",
        master: str | None = None,
        codec: str | None = None,
        use_script_cache: bool | None = None,
        name_prefix: str | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        self._wire = wire
        self.name = uuid4().hex
        request = {
            "cmd": "client",
            "client": self.name,
            "urls": list(urls),
            "mode": mode,
            "master": master,
            "codec": codec,
            "useScriptCache": use_script_cache,
            "namePrefix": name_prefix,
            "settings": {key: to_json(value) for key, value in (settings or {}).items()},
        }
        wire.request({key: value for key, value in request.items() if value is not None})

    def get(
        self,
        kind: str,
        name: str,
        *,
        codec: str | None = None,
        handle: str = "",
        options: Mapping[str, Any] | None = None,
    ) -> JavaObject:
        """Return an object of any kind, by the name of its getter: "blocking_queue", "list".

        ``options`` are the setters of its class of options, as in ``{"syncStrategy": "UPDATE"}``;
        then a codec is needed, too.
        """
        return JavaObject(self._wire, self.name, kind, name, codec, handle, options)

    def queue(self, name: str, **options: Any) -> JavaObject:
        """``getQueue``."""
        return self.get("queue", name, **options)

    def deque(self, name: str, **options: Any) -> JavaObject:
        """``getDeque``."""
        return self.get("deque", name, **options)

    def blocking_queue(self, name: str, **options: Any) -> JavaObject:
        """``getBlockingQueue``."""
        return self.get("blocking_queue", name, **options)

    def blocking_deque(self, name: str, **options: Any) -> JavaObject:
        """``getBlockingDeque``."""
        return self.get("blocking_deque", name, **options)

    def delayed_queue(self, name: str, **options: Any) -> JavaObject:
        """``getDelayedQueue(getQueue(name, codec))``."""
        return self.get("delayed_queue", name, **options)

    def shutdown(self) -> None:
        """``RedissonClient.shutdown()``; its objects are forgotten. May be called twice."""
        self._wire.request({"cmd": "shutdown", "client": self.name})

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with contextlib.suppress(OSError):  # the peer may have been ended before
            self.shutdown()
