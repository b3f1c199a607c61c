"""Makes objects of any class with the context, codec and wire format of one client."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Protocol, TypeVar

from pyredisson._async.context import AsyncContext
from pyredisson.codecs.base import Codec, require_codec
from pyredisson.codecs.default import default_codec
from pyredisson.protocol.delayed.entry import WireFormat

if TYPE_CHECKING:
    from pyredisson._async.delayed.delayed_queue import AsyncDelayedQueue
    from pyredisson._async.queues.queue import AsyncQueue

P = ParamSpec("P")
T = TypeVar("T")
V = TypeVar("V")


class _OfClient(Protocol):
    _context: AsyncContext


G = TypeVar("G", bound=_OfClient)


class AsyncObjects:
    """Makes objects with the settings of one client.

    Args:
        context: the context of the client, passed to each object.
        codec: the codec of objects that are made without one; None for the default codec of
            `release`.
        release: the release for which codecs without a release of their own write; None leaves
            these codecs unchanged.
    """

    def __init__(
        self, context: AsyncContext, codec: Codec[Any] | None, release: str | None
    ) -> None:
        self.context = context
        self._release = release
        self._codec = None if codec is None else self.for_release(codec)

    def make(
        self,
        kind: Callable[Concatenate[AsyncContext, str, Codec[Any], P], T],
        name: str,
        codec: Codec[Any] | None,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Return an object of a class.

        Args:
            kind: the class, called with the context, the name, the codec, `args` and `kwargs`.
            name: the object's name, as the program gives it.
            codec: None for the client's codec.
            args: further positional arguments of the class.
            kwargs: further keyword arguments of the class.
        """
        return kind(self.context, name, self.codec(codec), *args, **kwargs)

    def codec(self, codec: Codec[Any] | None) -> Codec[Any]:
        """Return `codec`, adapted as by `for_release`; if it is None, return the client's codec."""
        if codec is not None:
            return self.for_release(codec)
        if self._codec is None:
            self._codec = default_codec(self._release)
        return self._codec

    def for_release(self, codec: Codec[Any]) -> Codec[Any]:
        """Return `codec`; if it has no release, it writes for the client's release, if any."""
        codec = require_codec(codec, "a queue")
        return codec if self._release is None else codec.for_release(self._release)

    def own(self, given: G, method: str) -> G:
        """Return `given`, an argument of a factory, after a check that it is of this client.

        Raises:
            ValueError: `given` is an object of another client, perhaps on another server.
        """
        if given._context is not self.context:
            raise ValueError(
                f"{method}() needs an object of the same client, but {given!r} is one of another "
                "client: get it from this client by its name"
            )
        return given

    def target_of(self, queue: AsyncQueue[V] | AsyncDelayedQueue[V], method: str) -> AsyncQueue[V]:
        """Return a queue, or the target of a delayed queue.

        Raises:
            TypeError: `queue` is not a queue of this variant (asyncio or threads).
            ValueError: `queue` is a queue of another client.
        """
        from pyredisson._async.delayed.delayed_queue import AsyncDelayedQueue  # noqa: PLC0415 - seldom
        from pyredisson._async.queues.queue import AsyncQueue  # noqa: PLC0415 - seldom

        target = queue.target if isinstance(queue, AsyncDelayedQueue) else queue
        if not isinstance(target, AsyncQueue):
            raise TypeError(f"{method}() needs a queue that get_queue() returns, got {queue!r}")
        return self.own(target, method)

    def wire_format(self, wire_format: str | WireFormat | None) -> WireFormat:
        """Return the wire format of a release; if it is None, return the client's format."""
        return self.context.wire_format if wire_format is None else WireFormat.of(wire_format)


class AsyncFactories:
    """The base of the factories of one family of objects.

    Args:
        objects: makes the objects.
    """

    def __init__(self, objects: AsyncObjects) -> None:
        self._objects = objects

    if not TYPE_CHECKING:  # a type checker knows the methods

        def __getattr__(self, name: str) -> Any:
            """Raise an AttributeError; for `get_...` it names the nearest methods, or all."""
            text = f"{type(self).__name__!r} object has no attribute {name!r}"
            if name.startswith("get_"):
                methods = [each for each in dir(type(self)) if each.startswith("get_")]
                found = get_close_matches(name, methods, cutoff=0.75) or methods
                text += f"; it has {', '.join(found)} (docs/not-supported.md has what is missing)"
            raise AttributeError(text, name=name, obj=self)
