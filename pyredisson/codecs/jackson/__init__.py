"""The Jackson codecs: JSON, MessagePack, CBOR, Smile, Ion and Avro as Redisson writes them.

`model` says what Jackson sees of the schemas and `rules` what differs by codec and
release; `writer` makes the pieces of a message by a plan per declared type, a `Format`
(`text` is JSON's) joins them. `parser` makes a tree, `reader` and `declared` the value.

* `bases`: one message, its limits and errors. `codec`, `codec3`: JSON of Jackson 2 and 3.
* `mapper`, `mapper_times`: what a service set on its `ObjectMapper`.
* `typing`: type properties. `views`: what Jackson sees of a class. `parts`, `arrays`: pieces that
  `writer` makes. `quick`: the fast path of flat objects.
* The formats: `spelling`, `text`, `lexical`, `msgpack`, `cbor`, `smile`, `ion`, `*_parser`;
  `binary` is shared. `avro`, `avro_data`: by an Avro schema.
* Single values: `times`, `dates`, `scalars`, `others`, `keys`, `constants`; `opaque`: unknown
  classes.
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
