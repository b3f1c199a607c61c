"""The keys of a queue in Redis, by Redisson's prefix and brace rule, and their cluster slots.

The rule (`RedissonObject.prefixName`, unchanged since 3.2.0): a companion key is
``prefix:{name}``, but ``prefix:name`` if the name has a ``{`` anywhere.  A `NameMapper`
is applied before the rule, as in Redisson (`RedissonObject.getRawName`, 3.15.4 and newer).
By this rule, the queues ``orders`` and ``{orders}`` have the same companion keys, in Redisson as
well. If a program uses both names, `Claims` rejects the second.
"""

from __future__ import annotations

from binascii import crc_hqx
from collections.abc import Iterable
from typing import NamedTuple, Protocol

from pyredisson.errors import InvalidNameError
from pyredisson.protocol.kernel.remembered import Remembered

__all__ = [
    "Claims",
    "ConsumerNames",
    "DirectNameMapper",
    "MigrationNames",
    "NameMapper",
    "QueueNames",
    "ScheduleNames",
    "WindowNames",
    "by_slot",
    "prefix_name",
    "require_one_slot",
    "slot",
    "suffix_name",
]

_SLOTS = 16384


class NameMapper(Protocol):
    """Maps a program's names to the names in Redis (`org.redisson.config.NameMapper`)."""

    def map(self, name: str, /) -> str:
        """Return the name in Redis."""
        ...

    def unmap(self, name: str, /) -> str:
        """Return the program's name for a name in Redis; the inverse of `map`."""
        ...


class DirectNameMapper:
    """The default mapper, which changes no name."""

    def map(self, name: str, /) -> str:
        """Return `name`."""
        return name

    def unmap(self, name: str, /) -> str:
        """Return `name`."""
        return name


def prefix_name(prefix: str, name: str) -> str:
    """Return the companion key of `name`; adds braces unless `name` has a ``{``."""
    return f"{prefix}:{name}" if "{" in name else f"{prefix}:{{{name}}}"


def suffix_name(name: str, suffix: str) -> str:
    """Return the companion key of `name` with a suffix (`RedissonObject.suffixName`)."""
    return f"{name}:{suffix}" if "{" in name else f"{{{name}}}:{suffix}"


def alias_of(name: str) -> str | None:
    """Return the other name that has the same companion keys, or None."""
    if "{" not in name:
        return f"{{{name}}}"
    inner = name[1:-1]
    return inner if name == f"{{{inner}}}" and "{" not in inner else None


class Claims:
    """The queue names that a client uses with companion keys.

    Of two names with the same companion keys, a client can use only one. To limit memory, only the
    names that were added last are remembered. A name that was forgotten no longer has this effect.
    """

    MAX_NAMES = 500

    def __init__(self, most: int = MAX_NAMES) -> None:
        self._names = Remembered(most)

    def claim(self, name: str) -> None:
        """Record that a name in Redis is used with its companion keys.

        Raises:
            InvalidNameError: a remembered name has the same companion keys.
        """
        alias = alias_of(name)
        if alias is None:
            return
        if alias in self._names:
            raise InvalidNameError(
                f"{name!r} and {alias!r} are two objects, but share their companion keys, such as "
                f"{prefix_name('redisson_delay_queue', name)!r}, in Redisson as well; this client "
                f"uses {alias!r} already, so use only one of the two names"
            )
        self._names.add(name)


class QueueNames(NamedTuple):
    """The keys of one delayed queue; `name` is its mapped name, the key of the target list."""

    name: str
    delay_list: str
    timeout_set: str
    channel: str
    poison: str
    dedup: str
    due: str

    @classmethod
    def of(cls, name: str) -> QueueNames:
        """Derive the companion keys; only pyredisson has `poison`, `dedup` and `due`."""
        return cls(
            name=name,
            delay_list=prefix_name("redisson_delay_queue", name),
            timeout_set=prefix_name("redisson_delay_queue_timeout", name),
            channel=prefix_name("redisson_delay_queue_channel", name),
            poison=prefix_name("pyredisson_poison", name),
            dedup=prefix_name("pyredisson_dedup", name),
            due=prefix_name("pyredisson_due", name),
        )

    def keys(self) -> tuple[str, ...]:
        """Return all these keys; in a cluster, they must be in one slot."""
        own = (self.poison, self.dedup, self.due)
        return (self.name, self.timeout_set, self.delay_list, self.channel, *own)


class ConsumerNames(NamedTuple):
    """The companion keys of acknowledged consumption; Redisson has none of them.

    * `arriving` (list) is the in-transit list. A blocking command moves the element that ends a
      consumer's wait there, and the next script leases the element.
    * `leases` (sorted set) has the token of each message in flight with the end of its lease.
      `taken` (hash) maps each token to the record of the message.
    * `returned` (sorted set) has the records of messages that were requeued at the head.
    * `retried` (sorted set) has the records of messages that were requeued with a delay, and
      `postponed` (sorted set) has the pending entries of these messages.
    * `dead` (sorted set) has the times of dead letters, and `letters` (hash) has their contents.
    * `paused` (string) exists during a pause, in which consumers take nothing. `resumed` (list)
      wakes the consumers that wait for the end of the pause.
    * `expiring` (sorted set) has the entries of items that expire, and `expiries` (sorted set) has
      their records.
    * `consumers` (sorted set) has the names of consumers with messages, for a limited time.
    """

    queue: QueueNames
    arriving: str
    leases: str
    taken: str
    returned: str
    retried: str
    postponed: str
    dead: str
    letters: str
    paused: str
    resumed: str
    expiring: str
    expiries: str
    consumers: str

    @classmethod
    def of(cls, name: str) -> ConsumerNames:
        """Derive the keys from the queue's name."""
        return cls(
            queue=QueueNames.of(name),
            arriving=prefix_name("pyredisson_arriving", name),
            leases=prefix_name("pyredisson_leases", name),
            taken=prefix_name("pyredisson_taken", name),
            returned=prefix_name("pyredisson_returned", name),
            retried=prefix_name("pyredisson_retried", name),
            postponed=prefix_name("pyredisson_postponed", name),
            dead=prefix_name("pyredisson_dead", name),
            letters=prefix_name("pyredisson_dead_letters", name),
            paused=prefix_name("pyredisson_paused", name),
            resumed=prefix_name("pyredisson_resumed", name),
            expiring=prefix_name("pyredisson_expiring", name),
            expiries=prefix_name("pyredisson_expiries", name),
            consumers=prefix_name("pyredisson_consumers", name),
        )

    @property
    def expiry(self) -> tuple[str, str, str, str]:
        """The keys that a script needs to remove expired items."""
        return (self.expiring, self.expiries, self.dead, self.letters)

    def types(self) -> dict[str, str]:
        """Return the keys with messages or records of messages, each with its Redis type."""
        kinds = ("list", "zset", "hash", "zset", "zset", "zset", "zset", "hash")
        keys = (self.arriving, self.leases, self.taken, self.returned, self.retried)
        return dict(zip((*keys, self.postponed, self.dead, self.letters), kinds, strict=True))


class WindowNames(NamedTuple):
    """The two companion keys of a group window, both hashes; Redisson has none of them.

    A window collects values that are offered with the same key into a group. `started` maps each
    such key to the pending entry of its newest group. `groups` has the groups with their values.
    """

    consumer: ConsumerNames
    started: str
    groups: str

    @classmethod
    def of(cls, name: str) -> WindowNames:
        """Derive the keys from the queue's name."""
        return cls(
            consumer=ConsumerNames.of(name),
            started=prefix_name("pyredisson_window", name),
            groups=prefix_name("pyredisson_groups", name),
        )


class ScheduleNames(NamedTuple):
    """The companion keys of recurring work: a hash of its entries, and a sorted set of times."""

    queue: QueueNames
    entries: str
    times: str

    @classmethod
    def of(cls, name: str) -> ScheduleNames:
        """Derive the keys from the queue's name."""
        return cls(
            queue=QueueNames.of(name),
            entries=prefix_name("pyredisson_schedule", name),
            times=prefix_name("pyredisson_schedule_times", name),
        )


class MigrationNames(NamedTuple):
    """The keys of a migration; Redisson has none of them.

    All but `record` are companion keys of the source queue. `state` (hash) exists during the
    migration. `ended` (string) has the options of an ended migration, for some time. The keys from
    `delay_list` to `dedup` have the items until the items are in a queue again. `record` (hash) is
    a companion key of the queue that gets the items.
    """

    consumer: ConsumerNames
    state: str
    ended: str
    delay_list: str
    timeout_set: str
    ready: str
    dead: str
    letters: str
    dedup: str
    record: str

    @classmethod
    def of(cls, name: str) -> MigrationNames:
        """Derive the keys from the queue's name."""
        return cls(
            consumer=ConsumerNames.of(name),
            state=prefix_name("pyredisson_migrating", name),
            ended=prefix_name("pyredisson_migrating_ended", name),
            delay_list=prefix_name("pyredisson_migrating_list", name),
            timeout_set=prefix_name("pyredisson_migrating_timeout", name),
            ready=prefix_name("pyredisson_migrating_ready", name),
            dead=prefix_name("pyredisson_migrating_dead", name),
            letters=prefix_name("pyredisson_migrating_letters", name),
            dedup=prefix_name("pyredisson_migrating_dedup", name),
            record=prefix_name("pyredisson_migrated", name),
        )


def slot(key: str) -> int:
    """Return the cluster slot of a key: CRC16 of its hash tag, or of the whole key."""
    data = key.encode("utf-8", "surrogateescape")
    start = data.find(b"{")
    if start >= 0:
        end = data.find(b"}", start + 1)
        if end > start + 1:
            data = data[start + 1 : end]
    return crc_hqx(data, 0) % _SLOTS


def by_slot(
    keys: Iterable[str], *, clustered: bool, together: int | None = None
) -> list[list[str]]:
    """Return groups of keys, one group for each command; in a cluster, a group is in one slot.

    Args:
        keys: the keys.
        clustered: whether the keys of a command must be in one slot.
        together: the maximum number of keys in a group. With None, there is no maximum.
    """
    groups: dict[int, list[str]] = {}
    for key in keys:
        groups.setdefault(slot(key) if clustered else 0, []).append(key)
    return [
        group[at : at + (together or len(group))]
        for group in groups.values()
        for at in range(0, len(group), together or len(group))
    ]


def require_one_slot(keys: Iterable[str], *, given: bool = False) -> None:
    """Reject keys that are in several cluster slots.

    Args:
        keys: the keys of one script or command.
        given: whether the program gave the names of all keys. Then the error does not mention
            Redisson's naming rule.

    Raises:
        InvalidNameError: the keys are in several slots; the text has the slot of each key.
    """
    slots = {key: slot(key) for key in keys}
    if len(set(slots.values())) > 1:
        spread = ", ".join(f"{key!r} in {number}" for key, number in slots.items())
        if given:
            raise InvalidNameError(
                f"in a cluster all keys of one command must be in one slot, but they are spread: "
                f"{spread}; give them names with the same '{{tag}}'"
            )
        raise InvalidNameError(
            "in a cluster all keys of an object must be in one slot, but Redisson's naming rule "
            f"spreads them: {spread}; use a name without '{{' or with one whole '{{tag}}'"
        )
