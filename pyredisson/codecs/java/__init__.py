"""The Java type model that all object codecs share.

Plain Python values stand for the Java class that one would expect::

    None null           str    String      bytes    byte[]       Decimal  BigDecimal
    bool Boolean        float  Double      list     ArrayList    UUID     UUID
    int  Integer, or Long beyond 32 bits   set      HashSet      datetime java.util.Date
                                           dict     HashMap      (aware ones)

The wrappers here are subclasses of those types that name another class:
`JLong(5)`, `JArray("int", [1, 2])`, `JList("java.util.LinkedList", ["a"])`. They
compare equal to the plain value. The rule: a decoder returns the plain value where
that encodes to the same bytes again, and a wrapper where it would not.
"""

from __future__ import annotations

from .containers import JArray, JEntries, JList, JMap, JSet
from .scalars import JBigInteger, JByte, JChar, JDate, JDouble, JFloat, JInt, JLong, JShort

__all__ = [
    "JArray",
    "JBigInteger",
    "JByte",
    "JChar",
    "JDate",
    "JDouble",
    "JEntries",
    "JFloat",
    "JInt",
    "JList",
    "JLong",
    "JMap",
    "JSet",
    "JShort",
]
