"""The names of a queue in Redis: Redisson's prefix and brace rule, and cluster slots.

The rule (`RedissonObject.prefixName`, unchanged since 3.2.0): a companion key is
``prefix:{name}``, but ``prefix:name`` as soon as the name holds a ``{``
anywhere.  A `NameMapper` is applied before the rule, as Redisson does
(`RedissonObject.getRawName`, 3.15.4 and newer).  So ``orders`` and ``{orders}``
have the same companions, in Redisson as well; `Claims` refuses the second.
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
    "NameMapper",
    "QueueNames",
    "ScheduleNames",
    "WindowNames",
    "prefix_name",
    "require_one_slot",
    "slot",
]

_SLOTS = 16384


class NameMapper(Protocol):
    """Maps the names that a program uses to those in Redis (`org.redisson.config.NameMapper`)."""

    def map(self, name: str, /) -> str:
        """Return the name in Redis."""
        ...

    def unmap(self, name: str, /) -> str:
        """Return the program's name for a name in Redis; the inverse of `map`."""
        ...


class DirectNameMapper:
    """The default: names are used as they are."""

    def map(self, name: str, /) -> str:
        """Return `name`."""
        return name

    def unmap(self, name: str, /) -> str:
        """Return `name`."""
        return name


def prefix_name(prefix: str, name: str) -> str:
    """Return the companion key of `name`: braces are added unless it holds a ``{`` already."""
    return f"{prefix}:{name}" if "{" in name else f"{prefix}:{{{name}}}"


def twin_of(name: str) -> str | None:
    """Return the other name that has the same companion keys, if there is one."""
    if "{" not in name:
        return f"{{{name}}}"
    inner = name[1:-1]
    return inner if name == f"{{{inner}}}" and "{" not in inner else None


class Claims:
    """The names of queues beside which a client keeps anything: of two that share that one alone.

    The last names are remembered, so that any number of them costs no more.
    """

    MOST = 500

    def __init__(self, most: int = MOST) -> None:
        self._names = Remembered(most)

    def claim(self, name: str) -> None:
        """Note that a name in Redis is used with its companions.

        Raises:
            InvalidNameError: those of another name that is used are the same.
        """
        twin = twin_of(name)
        if twin is None:
            return
        if twin in self._names:
            raise InvalidNameError(
                f"{name!r} and {twin!r} are two queues, but all that stands beside them would be "
                f"in the same keys, such as {prefix_name('redisson_delay_queue', name)!r}, in "
                f"Redisson as well; this client uses {twin!r} already, so use one of both names"
            )
        self._names.add(name)


class QueueNames(NamedTuple):
    """All names of one delayed queue; `name` is the mapped name, the list that consumers pop."""

    name: str
    delay_list: str
    timeout_set: str
    channel: str
    poison: str
    dedup: str
    due: str

    @classmethod
    def of(cls, name: str) -> QueueNames:
        """Derive the companion names; `poison`, `dedup` and `due` are pyredisson's own."""
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
        """Return all that a script of the delayed queue passes as a key."""
        own = (self.poison, self.dedup, self.due)
        return (self.name, self.timeout_set, self.delay_list, self.channel, *own)


class ConsumerNames(NamedTuple):
    """What acknowledged consumption keeps beside a queue, all of it pyredisson's own.

    `arriving` (list) is where a wait puts what wakes it; `leases` (sorted set) and `taken`
    (hash) have what consumers work on; `returned`, `retried` and `postponed` (sorted sets) what
    is known of messages that came back; `dead` (sorted set) and `letters` (hash) the dead
    letters. While `paused` (string) is there nothing is taken; `resumed` (list) wakes those
    who wait for that to end. `expiring` and `expiries` (sorted sets) know the items that expire,
    `consumers` (sorted set) for a while how those are called who have messages.
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
        """Derive the names of a queue, in its slot."""
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
        """What a script needs that removes what has expired."""
        return (self.expiring, self.expiries, self.dead, self.letters)

    def types(self) -> dict[str, str]:
        """Return each key that has messages in it, with its Redis type."""
        kinds = ("list", "zset", "hash", "zset", "zset", "zset", "zset", "hash")
        keys = (self.arriving, self.leases, self.taken, self.returned, self.retried)
        return dict(zip((*keys, self.postponed, self.dead, self.letters), kinds, strict=True))


class WindowNames(NamedTuple):
    """What a group window keeps beside its queue, pyredisson's own: two hashes.

    `begun` has of each key the pending member of the group that was begun last, `groups` the groups
    with their values.
    """

    consumer: ConsumerNames
    begun: str
    groups: str

    @classmethod
    def of(cls, name: str) -> WindowNames:
        """Derive the names of a queue, in its slot."""
        return cls(
            consumer=ConsumerNames.of(name),
            begun=prefix_name("pyredisson_window", name),
            groups=prefix_name("pyredisson_groups", name),
        )


class ScheduleNames(NamedTuple):
    """What recurring work keeps beside a queue: a hash of its entries, and a set of their times."""

    queue: QueueNames
    entries: str
    times: str

    @classmethod
    def of(cls, name: str) -> ScheduleNames:
        """Derive the names of a queue, in its slot."""
        return cls(
            queue=QueueNames.of(name),
            entries=prefix_name("pyredisson_schedule", name),
            times=prefix_name("pyredisson_schedule_times", name),
        )


def slot(key: str) -> int:
    """Return the cluster slot of a key: CRC16 of its hash tag, or of all of it without one."""
    data = key.encode()
    start = data.find(b"{")
    if start >= 0:
        end = data.find(b"}", start + 1)
        if end > start + 1:
            data = data[start + 1 : end]
    return crc_hqx(data, 0) % _SLOTS


def require_one_slot(keys: Iterable[str]) -> None:
    """Refuse keys that a cluster would spread over several slots.

    Raises:
        InvalidNameError: with the slot of each key.
    """
    slots = {key: slot(key) for key in keys}
    if len(set(slots.values())) > 1:
        spread = ", ".join(f"{key!r} in {number}" for key, number in slots.items())
        raise InvalidNameError(
            "in a cluster all keys of a queue must be in one slot, but Redisson's naming rule "
            f"spreads them: {spread}; use a name without '{{' or with one whole '{{tag}}'"
        )
