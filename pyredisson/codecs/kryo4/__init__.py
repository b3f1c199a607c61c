"""KryoCodec: Kryo 4, as in Redisson 3.6.2 to 3.11.4. It only reads.

Kryo 4 is like Kryo 5, except that numbers of fixed size are big-endian and collections are simpler:
a size, then each element with its class. Generics change nothing. Since 3.11.5 Redisson's class
`KryoCodec` runs on Kryo 5, whose bytes differ, and fails for classes that are not registered. Kryo
writes neither field names nor lengths, so the decoder cannot skip a class that has neither a row in
its tables nor a schema: it rejects the message.

`reader` reads a message, `bodies` has the JDK's classes.
"""

from __future__ import annotations

from .codec import KryoCodec

__all__ = ["KryoCodec"]
