"""Script calls of bit sets: each row has a call, the keys before it, and a label."""

from typing import Any

from pyredisson.protocol.bits.bit_set import BitSetProtocol
from pyredisson.protocol.kernel.command import Eval

B = BitSetProtocol("bits")

Stored = tuple[tuple[str, Any], ...]
BITS: tuple[tuple[Eval[Any], Stored, str], ...] = (
    (B.length(), (("bits", b"\0\x10\0\0"),), ""),
    (B.length(), (), " of none"),
)
KINDS = {"bits": "string"}
