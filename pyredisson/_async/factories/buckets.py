"""The factories of buckets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, overload

from pyredisson._async.factories.objects import AsyncFactories
from pyredisson.codecs.base import Codec

if TYPE_CHECKING:
    from pyredisson._async.buckets.bucket import AsyncBucket
    from pyredisson._async.buckets.buckets import AsyncBuckets

V = TypeVar("V")


class AsyncBucketFactories(AsyncFactories):
    """Makes RBucket and RBuckets."""

    @overload
    def get_bucket(self, name: str, codec: Codec[V]) -> AsyncBucket[V]: ...

    @overload
    def get_bucket(self, name: str, codec: None = None) -> AsyncBucket[Any]: ...

    def get_bucket(self, name: str, codec: Codec[Any] | None = None) -> AsyncBucket[Any]:
        """Return a bucket, Redisson's RBucket.

        Args:
            name: the name of the bucket.
            codec: encodes its value; None for the client's codec.

        Raises:
            TypeError: the name is not a str, or the codec is not a codec.
        """
        from pyredisson._async.buckets.bucket import AsyncBucket  # noqa: PLC0415 - seldom

        return self._objects.make(AsyncBucket, name, codec)

    @overload
    def get_buckets(self, codec: Codec[V]) -> AsyncBuckets[V]: ...

    @overload
    def get_buckets(self, codec: None = None) -> AsyncBuckets[Any]: ...

    def get_buckets(self, codec: Codec[Any] | None = None) -> AsyncBuckets[Any]:
        """Return the operations on several buckets at once, Redisson's RBuckets.

        Args:
            codec: encodes the values; None for the client's codec.

        Raises:
            TypeError: the codec is not a codec.
        """
        from pyredisson._async.buckets.buckets import AsyncBuckets  # noqa: PLC0415 - seldom

        return AsyncBuckets(self._objects.context, self._objects.codec(codec))
