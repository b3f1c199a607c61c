"""`Kryo5Codec`: the default of Redisson since 3.19.0, in pure Python.

A message is one class header and one body. Kryo writes no lengths around objects, so an unknown
class ends the decoding of the whole message.

`kernel` has the bytes, class headers and type arguments; it imports no family. `families` has the
bodies: one serializer per Java class; no family imports another. `jdk` is the table of the JDK's
classes, `registry` finds the serializer of a class name or a value, `supertypes` tells which class
fits which field, `releases` what changed when. `codec` is the public class: it adds the data to
errors.

The speed layers, and what to touch to add a class, are explained in `families/objects/__init__.py`.
"""

from __future__ import annotations

from .codec import Kryo5Codec
from .families.custom import Serializer
from .kernel.reader import Reader
from .kernel.writer import Writer

__all__ = ["Kryo5Codec", "Reader", "Serializer", "Writer"]
