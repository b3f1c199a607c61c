"""The script calls of all modules of cases in this folder, and the types of their keys."""

from tests.support.bits import BITS
from tests.support.bits import KINDS as BIT_KINDS
from tests.support.bloom import BLOOM
from tests.support.bloom import KINDS as BLOOM_KINDS
from tests.support.collections import COLLECTIONS
from tests.support.collections import KINDS as COLLECTION_KINDS
from tests.support.counters import COUNTERS
from tests.support.counters import KINDS as COUNTER_KINDS
from tests.support.local_maps import KINDS as LOCAL_MAP_KINDS
from tests.support.local_maps import LOCAL_MAPS
from tests.support.locks import KINDS as LOCK_KINDS
from tests.support.locks import LOCKS
from tests.support.maps import KINDS as MAP_KINDS
from tests.support.maps import MAPS
from tests.support.migration import KINDS as MIGRATION_KINDS
from tests.support.migration import MIGRATION
from tests.support.synchronizers import KINDS as SYNCHRONIZER_KINDS
from tests.support.synchronizers import SYNCHRONIZERS
from tests.support.topics import KINDS as TOPIC_KINDS
from tests.support.topics import TOPICS

FAMILIES = (
    *BITS,
    *COUNTERS,
    *COLLECTIONS,
    *LOCKS,
    *MAPS,
    *SYNCHRONIZERS,
    *BLOOM,
    *TOPICS,
    *LOCAL_MAPS,
    *MIGRATION,
)
"""Each row has a call, the keys before it, and a label."""
KINDS = {
    **BIT_KINDS,
    **COUNTER_KINDS,
    **COLLECTION_KINDS,
    **LOCK_KINDS,
    **MAP_KINDS,
    **SYNCHRONIZER_KINDS,
    **BLOOM_KINDS,
    **TOPIC_KINDS,
    **LOCAL_MAP_KINDS,
    **MIGRATION_KINDS,
}
"""The Redis type of each key."""
CALLS = [call for call, _, _ in FAMILIES]
