"""A run of a migration, or of the rest of an interrupted one.

The rule: a batch is added to the queue that gets it, and then removed from the migration. The first
steps of a run exclude all other runs. Then they remove a batch that was added and not removed.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b, sha256
from itertools import count
from secrets import token_hex
from typing import Any

from pyredisson import Redisson
from pyredisson.admin.migration.order import (
    MAX_BATCH,
    Migrated,
    MigrationInterruptedError,
    MigrationRefusedError,
    OnProgress,
    OnSkip,
    Order,
    all_of,
    protocol_of,
    refuse,
)
from pyredisson.errors import WireFormatError
from pyredisson.protocol.delayed.entry import unpack
from pyredisson.protocol.migration.conversion import Item, StaysError
from pyredisson.protocol.migration.migration import KINDS, Added, MigrationProtocol, Staged
from pyredisson.server_errors import ServerError

__all__ = ["migrate"]

_FEWEST, _BYTES = 10, 1 << 20


def migrate(
    redisson: Redisson, order: Order, *, on_skip: OnSkip, on_progress: OnProgress
) -> Migrated:
    """Move a queue's items, or continue a migration that was interrupted.

    Args:
        redisson: a client of the server that has the queue.
        order: the options.
        on_skip: is called for each item that stays.
        on_progress: is called after each batch.

    Raises:
        MigrationRefusedError: the migration would not be safe, was interrupted with other options,
            or another run has taken it over.
        MigrationInterruptedError: the migration has started, and then a server rejected a step or
            could not be reached. The next run with the same options continues it.
        ServerError: a server rejected a step or could not be reached before the start, or when the
            remaining items were counted.
    """
    source = protocol_of(redisson, order.name)
    if not redisson._context.link.request(source.exists(source.names.state)):
        refuse(redisson, order, source)
    run = _Run(redisson, source, order, on_skip, on_progress)
    run.reach_target()
    return run.run()


class _Run:
    """One run of a migration."""

    def __init__(
        self,
        redisson: Redisson,
        source: MigrationProtocol,
        order: Order,
        on_skip: OnSkip,
        on_progress: OnProgress,
    ) -> None:
        self._order = order
        self._source = source
        self._target = protocol_of(order.target or redisson, order.rename or order.name)
        self._ask = redisson._context.link.request
        self._ask_target = (order.target or redisson)._context.link.request
        self._on_skip = on_skip
        self._on_progress = on_progress
        self._run = token_hex(8)
        self._batch = 0
        self._keys: dict[bytes, bytes] = {}
        self._found = Migrated()
        self._done = self._total = 0

    def reach_target(self) -> None:
        """Raise the error if the server that gets the items cannot be reached."""
        self._ask_target(self._target.exists(self._target.names.record))

    def run(self) -> Migrated:
        order = self._order
        staged = self._ask(
            self._source.stage(
                token_hex(8),
                self._run,
                order.options,
                only_pending=order.only_pending,
                again=order.again,
            )
        )
        if isinstance(staged, int):
            self._found.ended = True
            return self._found
        if isinstance(staged, str):
            why = self._source.in_the_way(only_pending=order.only_pending).get(
                staged, "a key of a migration is there without its state"
            )
            raise MigrationRefusedError(f"{order.name!r} cannot be migrated now: {why} ({staged})")
        if staged is not None:
            try:
                self._continue(staged)
            except (ServerError, OSError) as error:
                raise MigrationInterruptedError(
                    f"the migration of {order.name!r} is not done, run it again with the same "
                    f"options: {error}"
                ) from error
        self._found.remaining = self._remaining()
        return self._found

    def _continue(self, staged: Staged) -> None:
        if staged.options != self._order.options.encode():
            raise MigrationRefusedError(
                f"a migration of {self._order.name!r} to {staged.options.decode()} was "
                "interrupted: run it again with these options first"
            )
        self._batch = staged.batch
        sizes = {kind: self._ask(self._source.size(kind, staged=True)) for kind in KINDS}
        self._total = sum(sizes.values())
        if self._total:
            self._read_dedup()
            self._fence(staged, next(kind for kind in KINDS if sizes[kind]))
            for kind in KINDS:
                self._move(kind)
        self._ask_target(self._target.forget())
        once = self._order.conversion.codecs is not None and not self._order.elsewhere
        halves = self._ask(self._source.finish(self._run, once=once))
        if halves < 0:
            raise self._lost()
        self._found.skipped += halves
        if halves:
            self._on_skip("pending or dead", b"", f"{halves} have no other half: run `check`")

    def _lost(self) -> MigrationRefusedError:
        return MigrationRefusedError(f"another run continues the migration of {self._order.name!r}")

    def _read_dedup(self) -> None:
        cursor = -1
        while cursor != 0:
            cursor, page = self._ask(self._source.dedup(max(cursor, 0)))
            self._keys |= {_digest(entry): key for key, entry in page.items()}

    def _fence(self, staged: Staged, kind: str) -> None:
        """Exclude other runs; remove the batch that an earlier run has added and not removed."""
        known = self._ask_target(self._target.fence(staged, self._run, anew=self._order.force))
        if known == 0:
            raise MigrationRefusedError(
                f"another migration adds items to {self._order.rename or self._order.name!r}: let "
                "it end first"
            )
        if not isinstance(known, Added):
            raise MigrationRefusedError(
                f"the server that gets the items of {self._order.name!r} does not know of this "
                f"migration, {self._target.names.record} is gone: if it has lost its data, "
                "--force moves the rest there"
            )
        if known.batch == self._batch:
            self._advance(kind, known, self._ask(self._read(kind, known.size)))

    def _read(self, kind: str, size: int) -> Any:
        return self._source.read(kind, 0, size, staged=True)

    def _move(self, kind: str) -> None:
        size = _FEWEST
        while found := self._ask(self._read(kind, size)):
            items: list[Item] = []
            before, stay = [], []
            for place, each in enumerate(found, 1):
                try:
                    item = self._order.conversion.item(kind, each)
                except StaysError as why:
                    stay.append(place)
                    self._on_skip(kind, each[0], str(why))
                    continue
                before.append(each[0])
                key = self._keys.get(_digest(each[0]), b"") if kind == "pending" else item[2]
                items.append((item[0], item[1], key))
            added = Added(self._batch, len(found), tuple(stay))
            self._add(kind, added, items, before)
            self._found.moved += self._changed(kind, found, items, stay)
            self._found.skipped += len(stay)
            self._advance(kind, added, found)
            long = sum(len(each[0]) for each in found) * 2 > _BYTES
            size = max(1, size // 2) if long else min(MAX_BATCH, size * 2)

    def _changed(self, kind: str, found: list[Any], items: list[Item], stay: list[int]) -> int:
        if self._order.elsewhere:
            return len(items)
        stayed = set(stay)
        old = [each for place, each in enumerate(found, 1) if place not in stayed]
        part = 2 if kind == "dead" else 0
        return sum(one[part] != other[part] for one, other in zip(old, items, strict=True))

    def _add(self, kind: str, added: Added, items: Iterable[Item], before: list[bytes]) -> None:
        """Add items; an item whose id exists already gets another id.

        A pending entry that is not converted, and that exists already, is not added again: another
        client offered the same entry meanwhile.
        """
        rest = list(zip(items, before, strict=True))
        for salt in count(1):
            add = self._target.add(self._run, kind, added, [item for item, _ in rest])
            places = self._ask_target(add)
            if places == 0:
                raise self._lost()
            if not places:
                return
            for place in sorted(places, reverse=True):
                item, old = rest[place - 1]
                if kind == "dead":
                    item_id = sha256(old + salt.to_bytes(8, "big")).digest()[:16]
                    rest[place - 1] = (item_id, *item[1:]), old
                elif item[0] == old:
                    del rest[place - 1]
                else:
                    entry = self._order.conversion.entry(old, salt)
                    rest[place - 1] = (entry, *item[1:]), old

    def _advance(self, kind: str, added: Added, found: list[Any]) -> None:
        keys = {place: self._keys.get(_digest(found[place - 1][0]), b"") for place in added.stay}
        if not self._ask(self._source.advance(self._run, kind, added, keys)):
            raise self._lost()
        self._batch += 1
        self._done += added.size
        self._on_progress(self._done, self._total)

    def _remaining(self) -> int:
        """Count the items that another run would move; 0 if only the codec changes."""
        if self._order.elsewhere:
            sizes = (self._ask(self._source.size(kind, staged=False)) for kind in KINDS)
            return max(0, sum(sizes) - self._found.skipped)
        wanted = self._order.conversion.wire_format
        if wanted is None:
            return 0
        entries = (each[0] for each in all_of(self._ask, self._source, "pending"))
        return sum(_has_other_format(entry, wanted) for entry in entries)


def _has_other_format(entry: bytes, wanted: Any) -> bool:
    try:
        return unpack(entry).wire_format is not wanted
    except WireFormatError:
        return False


def _digest(entry: bytes) -> bytes:
    return blake2b(entry, digest_size=16).digest()
