"""Script calls of Bloom filters: each row has a call, the keys before it, and a label."""

from typing import Any

from pyredisson.protocol.bloom.bloom_filter import BloomFilterProtocol
from pyredisson.protocol.bloom.config import BloomConfig
from pyredisson.protocol.kernel.command import Eval
from tests.support.groups import Fields

F = BloomFilterProtocol("f")
CONFIG = BloomConfig.of(1000, 0.03)
FIELDS = Fields(
    size=b"7298", hashIterations=b"5", expectedInsertions=b"1000", falseProbability=b"0.03"
)
MADE = ((F.config_key, FIELDS),)
FILLED = (*MADE, ("f", b"\x01\x80"))

Stored = tuple[tuple[str, Any], ...]
BLOOM: tuple[tuple[Eval[Any], Stored, str], ...] = (
    (F.try_init(CONFIG), (), ""),
    (F.try_init(CONFIG), MADE, " again"),
    (F.add(CONFIG, [b"a", b"b"]), FILLED, ""),
    (F.add(CONFIG, [b"a"]), (), " before it is initialized"),
    (F.contains(CONFIG, [b"a", b"b"]), FILLED, ""),
    (F.count(), FILLED, ""),
)
KINDS = {"f": "string", F.config_key: "hash"}
