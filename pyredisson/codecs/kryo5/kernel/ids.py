"""The class headers of the classes that every Kryo 5 has registered: the id plus two.

A primitive has the same header as its wrapper.
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
