"""The JDK classes that the writers know, as `ObjectStreamClass` describes them.

Each JDK class has a serialVersionUID, flags (2 serializable, 3 with `writeObject` data, 12
externalizable) and fields, primitives first, each kind by name. Sources: the classes of OpenJDK 8
to 17, where all of this is the same.
"""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass

from pyredisson.java.modified_utf8 import to_modified

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
        """Return the class hierarchy: the class and its superclasses, the topmost first."""
        above = [] if self.parent is None else self.parent.line()
        return [*above, self]


ENUM = Description("java.lang.Enum", 0, 0x12)
# Class, UID, flags, superclass, fields; without the prefix `java.`, each after its superclass.
_FACTS = r"""
    lang.Number 86ac951d0b94e08b 2 -
    lang.Integer 12e2a0a4f7818738 2 lang.Number value:I
    lang.Long 3b8be490cc8f23df 2 lang.Number value:J
    lang.Short 684d37133460da52 2 lang.Number value:S
    lang.Byte 9c4e6084ee50f51c 2 lang.Number value:B
    lang.Float daedc9a2db3cf0ec 2 lang.Number value:F
    lang.Double 80b3c24a296bfb04 2 lang.Number value:D
    lang.Boolean cd207280d59cfaee 2 - value:Z
    lang.Character 348b47d96b1a2678 2 - value:C
    lang.StringBuilder 3cd5fb145a4c6acb 3 -
    lang.StringBuffer 2f0707d9eac8ead3 3 - count:I shared:Z value:[C
    math.BigInteger 8cfc9f1fa93bfb1d 3 lang.Number bitCount:I bitLength:I firstNonzeroByteNum:I \
      lowestSetBit:I signum:I magnitude:[B
    math.BigDecimal 54c71557f981284f 3 lang.Number scale:I intVal:Ljava/math/BigInteger;
    util.ArrayList 7881d21d99c7619d 3 - size:I
    util.LinkedList 0c29535d4a608822 3 -
    util.ArrayDeque 207cda2e240da08b 3 -
    util.Vector d9977d5b803baf01 3 - capacityIncrement:I elementCount:I \
      elementData:[Ljava/lang/Object;
    util.Stack 10fe2ac2bb09861d 2 util.Vector
    util.Arrays$ArrayList d9a43cbecd8806d2 2 - a:[Ljava/lang/Object;
    util.PriorityQueue 94da30b4fb3f82b1 3 - size:I comparator:Ljava/util/Comparator;
    util.HashSet ba44859596b8b734 3 -
    util.LinkedHashSet d86cd75a95dd2a1e 2 util.HashSet
    util.TreeSet dd98509395ed875b 3 -
    util.HashMap 0507dac1c31660d1 3 - loadFactor:F threshold:I
    util.LinkedHashMap 34c04e5c106cc0fb 2 util.HashMap accessOrder:Z
    util.TreeMap 0cc1f63e2d256ae6 3 - comparator:Ljava/util/Comparator;
    util.Hashtable 13bb0f25214ae4b8 3 - loadFactor:F threshold:I
    util.Properties 3912d07a70363e98 2 util.Hashtable defaults:Ljava/util/Properties;
    util.IdentityHashMap 71a2650133f2e980 3 - size:I
    util.EnumMap 065d7df7be907ca1 3 - keyType:Ljava/lang/Class;
    util.EnumSet$SerializationProxy 0507d3db7654cad1 2 - elementType:Ljava/lang/Class; \
      elements:[Ljava/lang/Enum;
    util.BitSet 6efd887e3934ab21 3 - bits:[J
    util.Locale 7ef811609c30f9ec 3 - hashcode:I country:Ljava/lang/String; \
      extensions:Ljava/lang/String; language:Ljava/lang/String; script:Ljava/lang/String; \
      variant:Ljava/lang/String;
    util.Date 686a81014b597419 3 -
    util.UUID bc9903f7986d852f 2 - leastSigBits:J mostSigBits:J
    net.URI ac01782e439e49ab 3 - string:Ljava/lang/String;
    net.InetAddress 2d9b57af9fe3ebdb 3 - address:I family:I hostName:Ljava/lang/String;
    net.SocketAddress 4861f662f4979d6a 2 -
    net.InetSocketAddress 467194616ff9aa45 3 net.SocketAddress port:I addr:Ljava/net/InetAddress; \
      hostname:Ljava/lang/String;
    sql.Date 14fa46683f356697 2 util.Date
    sql.Time 74894a0dd932c471 2 util.Date
    sql.Timestamp 2618d5c80153bf65 2 util.Date nanos:I
    util.concurrent.CopyOnWriteArrayList 785d9fd546ab90c3 3 -
    util.concurrent.CopyOnWriteArraySet 4bbdd092901569d7 2 - \
      al:Ljava/util/concurrent/CopyOnWriteArrayList;
    util.concurrent.LinkedBlockingQueue a0304ca040e581f6 3 - capacity:I \
      count:Ljava/util/concurrent/atomic/AtomicInteger; \
      notEmpty:Ljava/util/concurrent/locks/Condition; \
      notFull:Ljava/util/concurrent/locks/Condition; \
      putLock:Ljava/util/concurrent/locks/ReentrantLock; \
      takeLock:Ljava/util/concurrent/locks/ReentrantLock;
    util.concurrent.LinkedBlockingDeque fa9ddc6ce257fe26 3 - capacity:I \
      lock:Ljava/util/concurrent/locks/ReentrantLock; \
      notEmpty:Ljava/util/concurrent/locks/Condition; \
      notFull:Ljava/util/concurrent/locks/Condition;
    util.concurrent.ConcurrentLinkedQueue 02bafb2a664c708c 3 -
    util.concurrent.ConcurrentLinkedDeque 0c29535d4a608822 3 -
    util.concurrent.ConcurrentHashMap 6499de129d87293d 3 - segmentMask:I segmentShift:I \
      segments:[Ljava/util/concurrent/ConcurrentHashMap$Segment;
    util.concurrent.ConcurrentSkipListMap 884675ae061146a7 3 - comparator:Ljava/util/Comparator;
    util.concurrent.ConcurrentSkipListSet dd985079bdcff15b 2 - \
      m:Ljava/util/concurrent/ConcurrentNavigableMap;
    util.concurrent.atomic.AtomicInteger 563f5ecc8c6c168a 2 lang.Number value:I
    util.concurrent.atomic.AtomicLong 1ac0fab477001718 2 lang.Number value:J
    util.concurrent.atomic.AtomicBoolean 4098b70a4f3ffc33 2 - value:I
    util.concurrent.atomic.AtomicReference e65771d4557854c6 2 - value:Ljava/lang/Object;
    util.Collections$EmptyList 7ab817b43ca79ede 2 -
    util.Collections$EmptySet 15f5721db403cb28 2 -
    util.Collections$EmptyMap 593614855adce7d0 2 -
    util.Collections$SingletonList 2aef29103ca79b97 2 - element:Ljava/lang/Object;
    util.Collections$SingletonSet 2c52419829c0b1bf 2 - element:Ljava/lang/Object;
    util.Collections$SingletonMap 9f230991717f6b91 2 - k:Ljava/lang/Object; v:Ljava/lang/Object;
    util.Collections$ReverseComparator 64048af0534e4ad0 2 -
    util.Collections$ReverseComparator2 000003fa6c354d51 2 - cmp:Ljava/util/Comparator;
    lang.String$CaseInsensitiveComparator 77035c7d5c50e5ce 2 -
    time.Ser 955d84ba1b2248b2 12 -
    util.CollSer 578eabb63a1ba811 3 - tag:I
    util.concurrent.locks.ReentrantLock 6655a82c2cc86aeb 2 - \
      sync:Ljava/util/concurrent/locks/ReentrantLock$Sync;
    util.concurrent.ConcurrentHashMap$Segment 1f364c905893293d 2 \
      util.concurrent.locks.ReentrantLock loadFactor:F
    util.concurrent.locks.AbstractOwnableSynchronizer 33dfafb9ad6d6fa9 2 -
    util.concurrent.locks.AbstractQueuedSynchronizer 6655a843753f52e3 2 \
      util.concurrent.locks.AbstractOwnableSynchronizer state:I
    util.concurrent.locks.ReentrantLock$Sync b81ea294aa445a7c 2 \
      util.concurrent.locks.AbstractQueuedSynchronizer
    util.concurrent.locks.ReentrantLock$NonfairSync 658832e7537bbf0b 2 \
      util.concurrent.locks.ReentrantLock$Sync
    util.Collections$CopiesList 26033c45b17003f8 2 - n:I element:Ljava/lang/Object;
    util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject 104ad505855c6aeb 2 - \
      this$0:Ljava/util/concurrent/locks/AbstractQueuedSynchronizer;
"""


def _described() -> dict[str, Description]:
    found: dict[str, Description] = {}
    for line in _FACTS.replace(" \\\n", "").strip().split("\n"):
        name, uid, flags, above, *fields = line.split()
        parent = None if above == "-" else found[f"java.{above}"]
        encoded = tuple(_field(*each.split(":")) for each in fields)
        full = f"java.{name}"
        found[full] = Description(full, int(uid, 16), int(flags), encoded, parent)
    return found


def _field(name: str, kind: str) -> tuple[str, str, str]:
    return kind[0], name, kind if kind[0] in "[L" else ""


KNOWN: dict[str, Description] = _described()

_ARRAY_FLAGS = 0x411  # public, final and abstract, like the array class of a public class
_HIDDEN = {"[Ljava.util.concurrent.ConcurrentHashMap$Segment;"}  # of a class that is not public


def array_description(name: str) -> Description:
    """Return the description of an array class; Java computes its UID from name and modifiers.

    The element class is assumed to be public. For other classes Java writes another UID, but
    ignores it when it reads. Source: `ObjectStreamClass.computeDefaultSUID`.
    """
    encoded = to_modified(name)
    flags = _ARRAY_FLAGS - (name in _HIDDEN)
    data = struct.pack(">H", len(encoded)) + encoded + struct.pack(">i", flags)
    digest = hashlib.sha1(data, usedforsecurity=False).digest()
    return Description(name, int.from_bytes(digest[:8], "little"))
