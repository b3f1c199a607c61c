"""Values that Redisson lets Java serialize inside a Kryo message.

Throwables, addresses, EnumMap (since 3.36.0) and the unmodifiable, synchronized and
checked collections (since 3.35.0) are written by an `ObjectOutputStream`, which says
no length. The rule: such a value is kept as it is, unopened, where it is the whole
message; inside of something else nobody can tell where it ends, so it is refused.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pyredisson.codecs.java.jdk import Kind
from pyredisson.codecs.java.values import JSerialized
from pyredisson.codecs.refusal import Refusal, refuse_value

from .serializer import Serializer

if TYPE_CHECKING:
    from .reader import Reader
    from .releases import Release
    from .writer import Writer

__all__ = ["OpaqueSerializer", "is_serialized", "old_wrapper_kind"]

_WRAPPER = re.compile(
    r"java\.util\.Collections\$(?:Unmodifiable|Synchronized|Checked)(?:RandomAccess)?"
    r"(?:Sorted|Navigable|Sequenced)?(List|RandomAccessList|Set|Map|Collection|Queue)"
)
_THROWABLE = re.compile(r"java\.(?:lang|util|io|net|time|sql)(?:\.\w+)*\.\w+(?:Exception|Error)")
_ADDRESSES = {
    "java.net.Inet4Address",
    "java.net.Inet6Address",
    "java.net.InetAddress",
    "java.net.InetSocketAddress",
}
_MAGIC = b"\xac\xed\x00\x05"


def is_serialized(class_name: str, release: Release) -> bool:
    """Say whether this release lets Java serialize the class."""
    if class_name == "java.util.EnumMap":
        return release.serialized_enum_maps
    if _WRAPPER.fullmatch(class_name):
        return release.serialized_collections
    if class_name in _ADDRESSES:
        return release.serialized_addresses
    return class_name == "java.lang.Throwable" or _THROWABLE.fullmatch(class_name) is not None


def old_wrapper_kind(class_name: str) -> Kind | None:
    """Return what a wrapper is to older releases, which wrote it as a plain container."""
    if class_name == "java.util.EnumMap":
        return Kind.MAP
    if class_name == "java.util.concurrent.ConcurrentHashMap$KeySetView":
        return Kind.SET
    match = _WRAPPER.fullmatch(class_name)
    if match is None:
        return None
    return {"Set": Kind.SET, "Map": Kind.MAP}.get(match[1], Kind.LIST)


class OpaqueSerializer(Serializer):
    """The rest of the message, if it is of this class as a whole."""

    smallest = 4

    def read(self, source: Reader) -> Any:
        """Read as `Serializer.read` says."""
        if source.depth:
            raise Refusal(
                f"a {self.class_name} inside another value is a Java serialization stream "
                "without a length; only alone in a message it can be kept",
                self.class_name,
            )
        data = source.take(len(source.data) - source.pos)
        if not data.startswith(_MAGIC):
            raise Refusal("no Java serialization stream", self.class_name)
        return JSerialized(self.class_name, data)

    def write(self, sink: Writer, value: Any) -> None:
        """Write as `Serializer.write` says."""
        if not isinstance(value, JSerialized) or value.class_name != self.class_name:
            raise refuse_value(value, f"a {self.class_name}")
        if sink.depth:
            raise Refusal(f"a {self.class_name} can only be written alone in a message")
        if not value.data.startswith(_MAGIC):
            raise Refusal("no Java serialization stream")
        sink.out += value.data
