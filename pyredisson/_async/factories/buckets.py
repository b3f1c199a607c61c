"""The methods of a client that make buckets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, overload

from pyredisson._async.factories.objects import AsyncFactories
from pyredisson.codecs.base import Codec

if TYPE_CHECKING:
    from pyredisson._async.buckets.bucket import AsyncBucket

V = TypeVar("V")


class AsyncBucketFactories(AsyncFactories):
    """Makes RBucket."""

    @overload
    def get_bucket(self, name: str, codec: Codec[V]) -> AsyncBucket[V]: ...

    @overload
    def get_bucket(self, name: str, codec: None = None) -> AsyncBucket[Any]: ...

    def get_bucket(self, name: str, codec: Codec[Any] | None = None) -> AsyncBucket[Any]:
        """Return a handle for RBucket; without a codec of its own it has the client's."""
        from pyredisson._async.buckets.bucket import AsyncBucket  # noqa: PLC0415 - seldom

        return self._objects.make(AsyncBucket, name, codec)
