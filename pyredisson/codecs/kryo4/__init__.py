"""KryoCodec: Kryo 4, as Redisson 3.6.2 to 3.11.4 had it. Read only.

Like Kryo 5 with simpler collections: numbers of fixed size are big-endian, a collection or map is
its size and then each element with its class, and generics change nothing. From 3.11.5 to 3.18.1
the same class ran on Kryo 5's first releases, whose bytes are others, and from 3.19.0 on it fails
unless every class is registered. Kryo writes neither field names nor lengths, so a class without a
table row or a schema ends the decoding.
"""

from __future__ import annotations

from .codec import KryoCodec

__all__ = ["KryoCodec"]
