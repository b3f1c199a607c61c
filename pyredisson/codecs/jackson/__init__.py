"""The Jackson codecs: JSON, MessagePack, CBOR, Smile, Ion and Avro as Redisson writes them.

`model` has what Jackson sees of the schemas, `rules` the differences between codecs and releases,
`mapper` the settings of a service's `ObjectMapper`. To write, `writer` makes the pieces of a
message by a plan per declared type, and a `Format` (`text` is JSON's) joins them. To read, `parser`
makes a tree, and `reader` and `declared` turn it into the value; `fast_path` does both for flat
objects.
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
