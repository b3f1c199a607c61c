"""MarshallingCodec: JBoss Marshalling's River protocol, Redisson's default in 3.13.0-3.18.1."""

from __future__ import annotations

from .codec import MarshallingCodec

__all__ = ["MarshallingCodec"]
