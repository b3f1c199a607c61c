"""FstCodec: fast-serialization 2.57, Redisson's default in 3.10.0-3.12.5."""

from __future__ import annotations

from .codec import FstCodec

__all__ = ["FstCodec"]
