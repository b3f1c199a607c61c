"""The options and the results of a migration, and whether it is safe."""

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
"""The maximum number of items that one step moves."""


class MigrationRefusedError(RedissonError):
    """A migration that would not be safe; the error's text names what to do first."""


class MigrationInterruptedError(RedissonError):
    """A migration that started and failed; no client can take the items that it has not moved."""


@dataclass(frozen=True, slots=True)
class Order:
    """The options of a migration.

    Attributes:
        name: the queue.
        conversion: converts each item.
        options: the options as text, without passwords. A run continues an interrupted migration
            only if both have the same text.
        rename: the name of the queue that gets the items; None for the same name.
        target: a client of the server that gets the items; None for the same server.
        force: whether to migrate although subscribed clients may not read the new items, or
            although the server that gets the items has lost the record of the migration.
        again: whether to change the codec although a migration with the same `options` changed it
            in the last seven days.
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
        """The kinds of items that the migration converts or moves."""
        return KINDS[:1] if self.only_pending else KINDS

    @property
    def only_pending(self) -> bool:
        """Whether the migration changes only the format of pending entries."""
        return self.conversion.codecs is None and not self.elsewhere

    @property
    def elsewhere(self) -> bool:
        """Whether another queue gets the items."""
        return self.target is not None or self.rename not in (None, self.name)


@dataclass(slots=True)
class Migrated:
    """The result of a migration.

    Attributes:
        moved: the number of items that were moved or changed.
        skipped: the number of items that stay as they are, because a change would lose data.
        remaining: the number of items that another run would move.
        ended: whether the same change of the codec was done in the last seven days. If so, this
            run did nothing, because it would encode the values twice.
    """

    moved: int = 0
    skipped: int = 0
    remaining: int = 0
    ended: bool = False


@dataclass(slots=True)
class Preview(Migrated):
    """What a migration would do: `remaining` counts the items that it would move or change.

    Attributes:
        refusal: why the migration would be refused; None if it would not be.
        examples: the kind, the bytes before and the bytes after, of up to three items.
    """

    refusal: MigrationRefusedError | None = None
    examples: list[tuple[str, bytes, bytes]] = field(default_factory=list)


OnSkip = Callable[[str, bytes, str], None]
"""Gets the kind of an item, its entry, value or (of a dead letter) id, and why it stays."""
OnProgress = Callable[[int, int], None]
"""Gets the number of processed items, and the number of all items of the run."""


def protocol_of(redisson: Redisson, name: str) -> MigrationProtocol:
    """Return the operations of a migration on a queue.

    Raises:
        InvalidNameError: no key can have this name.
    """
    redisson.get_queue(name, codec=ByteArrayCodec())  # rejects invalid names
    return MigrationProtocol(MigrationNames.of(redisson._context.mapper.map(name)))


def all_of(run: Any, source: MigrationProtocol, kind: str) -> Iterator[Any]:
    """Iterate over the items of a kind that are in the queue, not in the keys of a migration."""
    start, pages = 0, PageSize(FIRST)
    while page := run(source.read(kind, start, pages.count, staged=False)):
        yield from page
        start += len(page)
        pages.note([word for item in page for word in item if word])


def refuse(redisson: Redisson, order: Order, source: MigrationProtocol) -> None:
    """Raise an error if a migration would not be safe.

    Raises:
        MigrationRefusedError: it would not be safe; the error's text names what to do first.
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
