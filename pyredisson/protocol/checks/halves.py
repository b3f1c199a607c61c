"""Checks and repairs data that belongs together in two keys or fields, one of which was deleted.

For example, a dead letter has its time in a sorted set and its contents in a hash. The rule: one
script checks both in one step, so it does not report a change that another client makes at the same
time.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pyredisson.codecs.base import Codec
from pyredisson.errors import WireFormatError
from pyredisson.protocol.checks.check import Pair
from pyredisson.protocol.delayed.entry import sha_of, unpack
from pyredisson.protocol.kernel.command import Arg, Command, Eval
from pyredisson.protocol.kernel.names import ConsumerNames, WindowNames
from pyredisson.protocol.kernel.scripts import load
from pyredisson.protocol.objects.collection import PAGE
from pyredisson.protocol.windows.window import LARGEST, item_id_in

__all__ = ["GroupHead", "HalvesProtocol", "head_named_by"]


@dataclass(frozen=True, slots=True)
class GroupHead:
    """The key and the id of a group, as far as they are known without the group's head.

    The head is the field with the group's size, id and key: see `windows/lua/_groups.lua`.
    """

    key: bytes = b""
    item_id: bytes = b""


def head_named_by(
    key: bytes, entry: bytes, codecs: Iterable[Codec[Any]]
) -> tuple[bytes, GroupHead] | None:
    """Return the SHA1 of a group's token, and the known parts of the group's head.

    `entry` is the pending entry that a window stores for the key. Return None if the value in
    `entry` is not a token of one of the codecs.
    """
    with contextlib.suppress(WireFormatError):
        token = unpack(entry).value
        item_id = item_id_in(token, codecs)
        if item_id is not None:
            return sha_of(token), GroupHead(key, item_id)
    return None


@dataclass(frozen=True, slots=True)
class HalvesProtocol:
    """The operations on the companion keys of one queue."""

    names: ConsumerNames

    @property
    def window(self) -> WindowNames:
        """The keys of the group window, if the queue belongs to one."""
        return WindowNames.of(self.names.queue.name)

    def fields(self, key: str, cursor: int, limit: int = PAGE) -> Eval[tuple[int, list[bytes]]]:
        """Read field names of a hash: the next cursor (0: the end), and some names."""

        def page(reply: Any) -> tuple[int, list[bytes]]:
            return int(reply[0]), reply[1]

        return Eval(load("checks/fields"), (key,), (cursor, limit), page, safe=True)

    def cut_short(self, action: str, pair: Pair, names: Sequence[bytes]) -> Eval[list[bytes]]:
        """Find truncated records; return their names.

        The action "repair" moves these records to the poison list.
        """
        keys = (pair.times, pair.records, self.names.queue.poison)
        args: tuple[Arg, ...] = (action, pair.least, int(pair.headed), *names)
        return Eval(load("checks/cut_short"), keys, args, list)

    def letters(self, action: str, ids: Sequence[bytes]) -> Eval[tuple[list[bytes], list[bytes]]]:
        """Find ids with only a time, and ids with only a dead letter; return both.

        The action "repair" deletes such a time, and gives such a dead letter a time.
        """
        keys = (self.names.dead, self.names.letters)
        return Eval(load("checks/letters"), keys, (action, *ids), lambda r: (r[0], r[1]))

    # -------------------------------------------------------------- groups of a window

    def dead_values(self, cursor: int, limit: int = PAGE) -> Eval[tuple[int, list[bytes]]]:
        """Read values of dead letters: the next cursor (0: the end), and some values."""

        def page(reply: Any) -> tuple[int, list[bytes]]:
            return int(reply[0]), reply[1]

        keys = (self.names.letters,)
        return Eval(load("checks/dead_values"), keys, (cursor, limit), page, safe=True)

    def values(self, cursor: int, limit: int = PAGE) -> Eval[tuple[int, set[bytes]]]:
        """Read some of a window's groups.

        Returns:
            The next cursor (0: the end), and the SHA1 of each group that has missing values, or
            values that its head does not count.
        """

        def page(reply: Any) -> tuple[int, set[bytes]]:
            return int(reply[0]), set(reply[1])

        keys = (self.window.groups,)
        return Eval(load("checks/values"), keys, (cursor, limit), page, safe=True)

    def group(self, action: str, sha: bytes, head: GroupHead) -> Eval[tuple[bool, int]]:
        """Check a group, and with the action "repair" repair it.

        Returns:
            Whether values are missing, and the number of fields that the head does not count.
        """
        keys = (self.window.groups, self.window.started, self.names.queue.poison)
        args = (action, sha, LARGEST, head.key, head.item_id)
        return Eval(load("checks/group"), keys, args, lambda r: (bool(r[0]), int(r[1])))

    def unnamed(self, action: str, entries: Sequence[bytes]) -> Eval[list[bytes]]:
        """Find keys of a window that do not refer to their open group; return these keys.

        The action "repair" makes them refer to the group.
        """
        keys = (self.window.started, self.window.groups, self.names.queue.timeout_set)
        return Eval(load("checks/unnamed"), keys, (action, *entries), list)

    def started(self, cursor: int, limit: int = PAGE) -> Command[tuple[int, dict[bytes, bytes]]]:
        """HSCAN: the next cursor (0: the end), and some keys with the entries of their groups."""
        key = self.window.started

        def page(reply: Any) -> tuple[int, dict[bytes, bytes]]:
            found = reply[1]
            return int(reply[0]), dict(zip(found[::2], found[1::2], strict=True))

        return Command(("HSCAN", key, cursor, "COUNT", limit), page, key, safe=True)

    def keys_alone(self, action: str, keys_of_groups: Sequence[bytes]) -> Eval[list[bytes]]:
        """Find keys whose group does not exist, and with "repair" delete them; return the keys."""
        keys = (self.window.started, self.window.groups)
        return Eval(load("checks/keys_alone"), keys, (action, *keys_of_groups), list)
