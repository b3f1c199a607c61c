"""The Jackson codecs: JSON, MessagePack, CBOR, Smile, Ion and Avro as Redisson writes them.

`model` says what Jackson sees of the schemas and `rules` what differs by codec and
release; `writer` makes the pieces of a message by a plan per declared type, a `Format`
(`text` is JSON's) joins them. `parser` makes a tree, `reader` and `declared` the value.

* `bases`: one message, its limits and errors. `codec`, `codec3`: JSON of Jackson 2 and 3.
* `mapper`, `mapper_times`: what a service set on its `ObjectMapper`. `typing`: default typing.
* `bean_introspection`: attributes and methods of Python objects. `elements`, `arrays`: pieces that
  `writer` makes. `fast_path`: objects of simple fields.
* The formats: `format`, `text`, `lexical`, `msgpack`, `cbor`, `smile` with `smile_parser`, `ion`
  with `ion_parser`; `binary` is shared. `avro`, `avro_data`: by an Avro schema.
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
