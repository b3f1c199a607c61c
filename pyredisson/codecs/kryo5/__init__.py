"""`Kryo5Codec`: the default of Redisson since 3.19.0, in pure Python.

A message is one class header and one body (`kernel`: bytes, headers, type arguments;
`families`: the bodies, one serializer per Java class; `registry`: which serializer a
class name or a value gets; `codec`: the edge, where
errors get their data). Kryo writes no lengths around objects, so a class that is
unknown ends the decoding of the whole message.

* `registry`: who serializes what. `jdk`: a row for each class of the JDK: how it goes, since when,
  and how before. `supertypes`. `releases`: what changed when.
* `kernel/input`, `output`: primitives, limits; at once, `varints`, `decimals`.
* `kernel/reader`, `writer`: one message: class headers, values; at once, `direct`.
* `kernel/serializer`, `classes`: the base of the families, and what a serializer may ask of the
  registry; `ids`: Kryo's own.
* `kernel/generics`: type arguments: a position hands them to `read` and `write`; variables are
  bound in the reader and the writer. `kernel/references`, `tracked`: references mode.
* `families/scalars`, `arrays`, `enums`, `others`, `parts`, `times/`: bodies by class.
* `families/containers/`: `bodies`; `subclasses` of an application; `views`.
* `families/objects/`: the application's classes: `bodies` with `fields` and `records`; compiled per
  class, `forms` (one value), `runs` (neighbouring simple fields), `plans` (an object), `shapes`
  with `shape_lines` (a whole message); at once, `opened`, `batches`.
* `families/opaque`, `unreleased`, `own`: Java serialization inside; what is not written without a
  release; an application's own serializers.
"""

from __future__ import annotations

from .codec import Kryo5Codec
from .families.custom import Serializer
from .kernel.reader import Reader
from .kernel.writer import Writer

__all__ = ["Kryo5Codec", "Reader", "Serializer", "Writer"]
