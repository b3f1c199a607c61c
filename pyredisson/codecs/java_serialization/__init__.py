"""SerializationCodec: Java's own object serialization, as `java.io.ObjectOutputStream` has it.

`reader` and `writer` have the stream. What stands in it is shared with `marshalling/`, `fst/` and
`kryo5/families/opaque`:

* read: `objects`, `jdk`, `jdk_values`, `raw`, `kept`;
* written: `sink`, `levels`, `replaced`, `specials`, `descriptions`, `typed`;
* of schemas: `schemas`, `line`, `drift` (a message of another version of the class).
"""

from __future__ import annotations

from .codec import SerializationCodec

__all__ = ["SerializationCodec"]
