"""SerializationCodec: Java's own object serialization, as `java.io.ObjectOutputStream` has it."""

from __future__ import annotations

from .codec import SerializationCodec

__all__ = ["SerializationCodec"]
