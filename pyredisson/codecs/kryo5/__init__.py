"""`Kryo5Codec`: the default of Redisson since 3.19.0, in pure Python.

A message is one class header and one body (`kernel`: bytes, headers, type arguments;
`families`: the bodies, one serializer per Java class; `registry`: which serializer a
class name or a value gets; `codec`: the edge, where
errors get their data). Kryo writes no lengths around objects, so a class that is
unknown ends the decoding of the whole message.
"""

from __future__ import annotations

from .codec import Kryo5Codec
from .families.custom import Serializer
from .kernel.reader import Reader
from .kernel.writer import Writer

__all__ = ["Kryo5Codec", "Reader", "Serializer", "Writer"]
