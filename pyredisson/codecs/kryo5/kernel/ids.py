"""The bytes that announce the classes which every Kryo 5 has registered: an id, plus two.

A primitive shares its wrapper's.
"""

from __future__ import annotations

__all__ = [
    "BOOLEAN",
    "BYTE",
    "CHARACTER",
    "DOUBLE",
    "FLOAT",
    "INTEGER",
    "LONG",
    "SHORT",
    "STRING",
]

INTEGER, STRING, FLOAT, BOOLEAN, BYTE, CHARACTER, SHORT, LONG, DOUBLE = range(2, 11)
