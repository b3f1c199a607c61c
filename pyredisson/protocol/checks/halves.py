"""What is left where somebody deleted a half of what pyredisson keeps beside a queue.

The rule: the script that tells a half looks at both halves in one step, so what others change
meanwhile is none.
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

_FIELDS = 100
"""Fields of a hash that a script reads at once, with what stands under them."""


@dataclass(frozen=True, slots=True)
class GroupHead:
    """What the head of a group has, as far as it is known without it."""

    key: bytes = b""
    item_id: bytes = b""


def head_named_by(
    key: bytes, member: bytes, codecs: Iterable[Codec[Any]]
) -> tuple[bytes, GroupHead] | None:
    """Return the SHA1 that names a group in Redis, and its head.

    `member` is what a key of a window has; None where no codec has encoded it.
    """
    with contextlib.suppress(WireFormatError):
        token = unpack(member).value
        item_id = item_id_in(token, codecs)
        if item_id is not None:
            return sha_of(token), GroupHead(key, item_id)
    return None


@dataclass(frozen=True, slots=True)
class HalvesProtocol:
    """The operations on what is kept beside one queue."""

    names: ConsumerNames

    @property
    def window(self) -> WindowNames:
        """The names of the group window whose queue it may be."""
        return WindowNames.of(self.names.queue.name)

    def fields(self, key: str, cursor: int) -> Eval[tuple[int, list[bytes]]]:
        """Read names of a hash: the next cursor (0: no more), and some of them."""

        def page(reply: Any) -> tuple[int, list[bytes]]:
            return int(reply[0]), reply[1]

        return Eval(load("checks/fields"), (key,), (cursor, _FIELDS), page, safe=True)

    def cut_short(self, action: str, pair: Pair, names: Sequence[bytes]) -> Eval[list[bytes]]:
        """Look for, or move to the poison list, records that are cut short; which were?"""
        keys = (pair.times, pair.records, self.names.queue.poison)
        args: tuple[Arg, ...] = (action, pair.least, int(pair.headed), *names)
        return Eval(load("checks/cut_short"), keys, args, list)

    def letters(self, action: str, ids: Sequence[bytes]) -> Eval[tuple[list[bytes], list[bytes]]]:
        """Look for, or repair, times without a dead letter and letters without a time."""
        keys = (self.names.dead, self.names.letters)
        return Eval(load("checks/letters"), keys, (action, *ids), lambda r: (r[0], r[1]))

    # -------------------------------------------------------------- groups of a window

    def dead_values(self, cursor: int) -> Eval[tuple[int, list[bytes]]]:
        """Read values of dead letters: the next cursor (0: no more), and some of them."""

        def page(reply: Any) -> tuple[int, list[bytes]]:
            return int(reply[0]), reply[1]

        keys = (self.names.letters,)
        return Eval(load("checks/dead_values"), keys, (cursor, _FIELDS), page, safe=True)

    def values(self, cursor: int) -> Eval[tuple[int, set[bytes]]]:
        """Read some of a window's groups.

        Returns the next cursor (0: no more), and what names groups that lack values, or do not
        count all of theirs.
        """

        def page(reply: Any) -> tuple[int, set[bytes]]:
            return int(reply[0]), set(reply[1])

        args = (cursor, _FIELDS)
        return Eval(load("checks/values"), (self.window.groups,), args, page, safe=True)

    def group(self, action: str, sha: bytes, head: GroupHead) -> Eval[tuple[bool, int]]:
        """Look at a group, or repair it; did it lack values, and how many did it not count?"""
        keys = (self.window.groups, self.window.begun, self.names.queue.poison)
        args = (action, sha, LARGEST, head.key, head.item_id)
        return Eval(load("checks/group"), keys, args, lambda r: (bool(r[0]), int(r[1])))

    def unnamed(self, action: str, members: Sequence[bytes]) -> Eval[list[bytes]]:
        """Look for open groups that their keys do not name, or let them; the keys."""
        keys = (self.window.begun, self.window.groups, self.names.queue.timeout_set)
        return Eval(load("checks/unnamed"), keys, (action, *members), list)

    def begun(self, cursor: int) -> Command[tuple[int, dict[bytes, bytes]]]:
        """HSCAN: the next cursor (0: no more), and keys with the members of their groups."""
        key = self.window.begun

        def page(reply: Any) -> tuple[int, dict[bytes, bytes]]:
            found = reply[1]
            return int(reply[0]), dict(zip(found[::2], found[1::2], strict=True))

        return Command(("HSCAN", key, cursor, "COUNT", PAGE), page, key, safe=True)

    def keys_alone(self, action: str, keys_of_groups: Sequence[bytes]) -> Eval[list[bytes]]:
        """Look for, or forget, keys whose group is not there; which were?"""
        keys = (self.window.begun, self.window.groups)
        return Eval(load("checks/keys_alone"), keys, (action, *keys_of_groups), list)
