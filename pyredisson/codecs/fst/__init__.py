"""FstCodec: fast-serialization (FST) 2.57, Redisson's default in 3.10.0-3.12.5.

- `codec`: the public class.
- `reader`, `writer`: read and write objects.
- `known`: reads the classes for which FST has a serializer.
- `imitated`: reads the classes for which FST imitates Java serialization.
- `layouts`: the fields of the JDK's classes; `fields`: the fields of schema classes.
- `encoding`, `numbers`: values that are not objects.
"""

from __future__ import annotations

from .codec import FstCodec

__all__ = ["FstCodec"]
