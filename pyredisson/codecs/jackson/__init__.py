"""`JsonJacksonCodec` and `TypedJsonJacksonCodec`: compact JSON as Redisson's Jackson 2 writes it.

`typing` says where a class name stands, `lexical` how a text or a number is spelled,
`writer` and `reader` walk the tree, `codec` is the edge. The JSON parser is the
standard library's.
"""

from __future__ import annotations

from .codec import JsonJacksonCodec, TypedJsonJacksonCodec

__all__ = ["JsonJacksonCodec", "TypedJsonJacksonCodec"]
