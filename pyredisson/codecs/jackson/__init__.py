"""The Jackson codecs: JSON, MessagePack, CBOR, Smile, Ion and Avro as Redisson writes them.

`model` says what Jackson sees of the schemas and `rules` what differs by codec and
release; `writer` makes the pieces of a message by a plan per declared type, a `Format`
(`text` is JSON's) joins them. `parser` makes a tree, `reader` and `declared` the value.
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
