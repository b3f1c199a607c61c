"""The classes that SerializationCodec writes, as `ObjectStreamClass` describes them.

Each JDK class has a serialVersionUID, flags (2 serializable, 3 with `writeObject` data)
and fields, primitives first, each kind by name. Sources: the classes of OpenJDK 8 to 17,
where all of this is the same.
"""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass

from pyredisson.codecs.java.comparators import IGNORING_CASE, REVERSE, REVERSE_OF

from .modified_utf8 import to_modified

__all__ = ["ENUM", "KNOWN", "Description", "array_description"]


@dataclass(frozen=True, slots=True)
class Description:
    """A class: `fields` are type code, name and, for objects, the signature."""

    name: str
    uid: int
    flags: int = 2
    fields: tuple[tuple[str, str, str], ...] = ()
    parent: Description | None = None

    def line(self) -> list[Description]:
        """Return the class and its superclasses, the topmost first."""
        above = [] if self.parent is None else self.parent.line()
        return [*above, self]


_NUMBER = Description("java.lang.Number", 0x86AC951D0B94E08B)
ENUM = Description("java.lang.Enum", 0, 0x12)


def _boxed(name: str, uid: int, code: str, parent: Description | None = _NUMBER) -> Description:
    return Description(f"java.lang.{name}", uid, 2, ((code, "value", ""),), parent)


_HASH_MAP = Description(
    "java.util.HashMap",
    0x0507DAC1C31660D1,
    3,
    (("F", "loadFactor", ""), ("I", "threshold", "")),
)
_HASH_SET = Description("java.util.HashSet", 0xBA44859596B8B734, 3)
_COMPARATOR = ("L", "comparator", "Ljava/util/Comparator;")
_BIG_FIELDS = ("bitCount", "bitLength", "firstNonzeroByteNum", "lowestSetBit", "signum")

KNOWN: dict[str, Description] = {
    each.name: each
    for each in (
        _boxed("Integer", 0x12E2A0A4F7818738, "I"),
        _boxed("Long", 0x3B8BE490CC8F23DF, "J"),
        _boxed("Short", 0x684D37133460DA52, "S"),
        _boxed("Byte", 0x9C4E6084EE50F51C, "B"),
        _boxed("Float", 0xDAEDC9A2DB3CF0EC, "F"),
        _boxed("Double", 0x80B3C24A296BFB04, "D"),
        _boxed("Boolean", 0xCD207280D59CFAEE, "Z", None),
        _boxed("Character", 0x348B47D96B1A2678, "C", None),
        Description("java.util.ArrayList", 0x7881D21D99C7619D, 3, (("I", "size", ""),)),
        Description("java.util.LinkedList", 0x0C29535D4A608822, 3),
        Description("java.util.ArrayDeque", 0x207CDA2E240DA08B, 3),
        Description("java.util.concurrent.CopyOnWriteArrayList", 0x785D9FD546AB90C3, 3),
        _HASH_MAP,
        Description(
            "java.util.LinkedHashMap",
            0x34C04E5C106CC0FB,
            2,
            (("Z", "accessOrder", ""),),
            _HASH_MAP,
        ),
        Description("java.util.TreeMap", 0x0CC1F63E2D256AE6, 3, (_COMPARATOR,)),
        Description(
            "java.util.PriorityQueue", 0x94DA30B4FB3F82B1, 3, (("I", "size", ""), _COMPARATOR)
        ),
        Description(REVERSE, 0x64048AF0534E4AD0),
        Description(REVERSE_OF, 4374092139857, 2, (("L", "cmp", "Ljava/util/Comparator;"),)),
        Description(IGNORING_CASE, 0x77035C7D5C50E5CE),
        _HASH_SET,
        Description("java.util.LinkedHashSet", 0xD86CD75A95DD2A1E, 2, (), _HASH_SET),
        Description("java.util.TreeSet", 0xDD98509395ED875B, 3),
        Description("java.util.Date", 0x686A81014B597419, 3),
        Description(
            "java.util.UUID",
            0xBC9903F7986D852F,
            2,
            (("J", "leastSigBits", ""), ("J", "mostSigBits", "")),
        ),
        Description(
            "java.math.BigDecimal",
            0x54C71557F981284F,
            3,
            (("I", "scale", ""), ("L", "intVal", "Ljava/math/BigInteger;")),
            _NUMBER,
        ),
        Description(
            "java.math.BigInteger",
            0x8CFC9F1FA93BFB1D,
            3,
            (*(("I", name, "") for name in _BIG_FIELDS), ("[", "magnitude", "[B")),
            _NUMBER,
        ),
    )
}

_ARRAY_FLAGS = 0x411  # public, final and abstract, as the array class of a public class is


def array_description(name: str) -> Description:
    """Describe an array class, whose UID Java computes from its name and its modifiers.

    The elements' class counts as public. Of others Java writes another UID, which it does
    not look at when it reads. Source: `ObjectStreamClass.computeDefaultSUID`.
    """
    told = to_modified(name)
    data = struct.pack(">H", len(told)) + told + struct.pack(">i", _ARRAY_FLAGS)
    digest = hashlib.sha1(data, usedforsecurity=False).digest()
    return Description(name, int.from_bytes(digest[:8], "little"))
