"""`Kryo5Codec`: the default of Redisson since 3.19.0, in pure Python.

A message is one class header and one body. Kryo writes no lengths around objects, so the decoder
cannot skip an unknown class: it rejects the whole message.

- `codec`: the public class. It encodes and decodes a whole message and raises the public errors.
- `registry`: finds the serializer of a class name or of a value.
- `jdk`: the table of the JDK's classes.
- `supertypes`: decides which class fits which field.
- `releases`: lists what changed in which release.
- `families`: the bodies, with one serializer per Java class. No family imports another.
- `kernel`: bytes, class headers and type arguments. It imports no family.

The docstring of `families/objects` explains the speed layers, and what to touch to add a class.
"""

from __future__ import annotations

from .codec import Kryo5Codec
from .families.custom import Serializer
from .kernel.reader import Reader
from .kernel.writer import Writer

__all__ = ["Kryo5Codec", "Reader", "Serializer", "Writer"]
