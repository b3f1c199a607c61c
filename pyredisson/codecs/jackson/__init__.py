"""The Jackson codecs: JSON, MessagePack, CBOR, Smile, Ion and Avro as Redisson writes them.

`model` has the schemas as Jackson sees them, `rules` the differences between codecs and releases,
`mapper` the settings of a service's `ObjectMapper`. To write, `writer` makes the pieces of a
message by a plan per declared type, and a `Format` (`text` is JSON's) joins them. To read, `parser`
makes a tree, and `reader` and `declared` turn it into the value; `fast_path` does both for flat
objects.

* `bases`: one message, its limits and errors. `codec`, `codec3`: JSON of Jackson 2 and 3.
* `mapper_times`: java.time with the settings of an `ObjectMapper`. `typing`: default typing.
* `bean_introspection`: attributes and methods of Python objects. `elements`, `arrays`: pieces that
  `writer` makes.
* The formats: `format`, `text`, `lexical`, `msgpack`, `cbor`, `smile` with `smile_parser`, `ion`
  with `ion_parser`; `binary` is their base. `avro`, `avro_data`: Avro, with a schema.
* Single values: `times` with `time_parser`, `dates`, `scalars`, `other_jdk`, `keys`, `constants`.
* `passthrough`: objects of unknown classes.
"""

from __future__ import annotations

from .codec import JsonJacksonCodec, TypedJsonJacksonCodec
from .codec3 import JsonJackson3Codec, TypedJsonJackson3Codec

__all__ = [
    "JsonJackson3Codec",
    "JsonJacksonCodec",
    "TypedJsonJackson3Codec",
    "TypedJsonJacksonCodec",
]
