"""SerializationCodec: Java's own object serialization, like `java.io.ObjectOutputStream`.

`codec` has the public class, `reader` and `writer` the stream. The rest is shared with
`marshalling/`, `fst/` and Kryo 5's values of Java serialization:

* reading: `stream_model`, `boxes`, `literals`, `sharing`, `objects`, `jdk`, `jdk_values`, `times`,
  `wrapped`, `preserved_metadata`;
* writing: `stream_writer`, `class_data_writers`, `write_object_cases`, `throwable_writer`,
  `replaced`, `typed`, `descriptions`, `throwables`;
* schemas: `schemas`, `class_hierarchy`, `schema_mismatch` (a message of another version of the
  class).
"""

from __future__ import annotations

from .codec import SerializationCodec

__all__ = ["SerializationCodec"]
