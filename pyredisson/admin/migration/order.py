"""What a migration shall do, and whether that is safe now."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from pyredisson import Redisson
from pyredisson.admin.look import subscribers_of
from pyredisson.codecs import ByteArrayCodec
from pyredisson.errors import RedissonError
from pyredisson.protocol.kernel.names import MigrationNames, alias_of
from pyredisson.protocol.migration.conversion import Conversion
from pyredisson.protocol.migration.migration import KINDS, MigrationProtocol
from pyredisson.protocol.objects.pages import FIRST, PageSize

__all__ = [
    "MAX_BATCH",
    "Migrated",
    "MigrationInterruptedError",
    "MigrationRefusedError",
    "OnProgress",
    "OnSkip",
    "Order",
    "Preview",
    "all_of",
    "protocol_of",
    "refuse",
]

MAX_BATCH = 500
"""How many items one step reads, at most."""


class MigrationRefusedError(RedissonError):
    """A migration that would not be safe; the text says what to do first."""


class MigrationInterruptedError(RedissonError):
    """A migration that started and failed; no client sees the items that it has not moved."""


@dataclass(frozen=True, slots=True)
class Order:
    """What a migration shall do.

    Attributes:
        name: the queue.
        conversion: what becomes of each item.
        options: a text of the options, without passwords; a run continues only one with the same.
        rename: the name of the queue that gets the items; None for the same name.
        target: a client of the server that gets them; None for the same server.
        force: whether to migrate although subscribed clients may not read the new items, or
            although the server that gets the items has lost the record of the migration.
        again: whether to change the codec again although that was done in the last seven days.
    """

    name: str
    conversion: Conversion
    options: str
    rename: str | None = None
    target: Redisson | None = None
    force: bool = False
    again: bool = False

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of items that it concerns."""
        return KINDS[:1] if self.only_pending else KINDS

    @property
    def only_pending(self) -> bool:
        """Whether it changes nothing but the format of pending entries."""
        return self.conversion.codecs is None and not self.elsewhere

    @property
    def elsewhere(self) -> bool:
        """Whether another queue gets the items."""
        return self.target is not None or self.rename not in (None, self.name)


@dataclass(slots=True)
class Migrated:
    """How many items were moved, how many stay as they are, and how many are left to move.

    If the same change of the codec has `ended` before, nothing was done: it would do it twice.
    """

    moved: int = 0
    skipped: int = 0
    remaining: int = 0
    ended: bool = False


@dataclass(slots=True)
class Preview(Migrated):
    """What a migration would do.

    Attributes:
        refusal: why it would be refused now; None if it would not.
        examples: the kind and the bytes before and after, of the first items.
    """

    refusal: MigrationRefusedError | None = None
    examples: list[tuple[str, bytes, bytes]] = field(default_factory=list)


OnSkip = Callable[[str, bytes, str], None]
"""Gets the kind, the bytes, and why it stays."""
OnProgress = Callable[[int, int], None]
"""Gets how many items are done, and how many there are."""


def protocol_of(redisson: Redisson, name: str) -> MigrationProtocol:
    """Return the operations on a queue.

    Raises:
        InvalidNameError: no key can have this name.
    """
    redisson.get_queue(name, codec=ByteArrayCodec())  # rejects invalid names
    return MigrationProtocol(MigrationNames.of(redisson._context.mapper.map(name)))


def all_of(run: Any, source: MigrationProtocol, kind: str) -> Iterator[Any]:
    """Iterate over the items of a kind that are in the queue."""
    start, pages = 0, PageSize(FIRST)
    while page := run(source.read(kind, start, pages.count, staged=False)):
        yield from page
        start += len(page)
        pages.note([word for item in page for word in item if word])


def refuse(redisson: Redisson, order: Order, source: MigrationProtocol) -> None:
    """Raise an error if a migration would not be safe now.

    Raises:
        MigrationRefusedError: it would not; the text says what to do first.
    """
    if order.target is None and order.rename == alias_of(source.names.consumer.queue.name):
        raise MigrationRefusedError(
            f"{order.name!r} and {order.rename!r} have the same pending items: choose another name"
        )
    for key, why in source.in_the_way(only_pending=order.only_pending).items():
        if redisson._context.link.request(source.exists(key)):
            raise MigrationRefusedError(f"{order.name!r} cannot be migrated now: {why} ({key})")
    if order.elsewhere or order.force:
        return
    tasks = subscribers_of(redisson, source.names.consumer.queue.channel)
    if tasks != 0:
        seen = "it is unknown whether services use" if tasks is None else f"{tasks} services use"
        raise MigrationRefusedError(
            f"{seen} {order.name!r} (subscribers of its channel): stop those that cannot read the "
            "new items, also consumers, which are not seen; with --force the others may stay"
        )
