"""The operations of Redisson's RObject and RExpirable, over all keys of one object.

In Java, most of these methods of a `RedissonDelayedQueue` act on its target list (``unlink()``
deletes the queue that consumers read). Here the operations act on the object's own keys.
docs/differences.md lists each difference.
"""

from __future__ import annotations

from dataclasses import dataclass

from pyredisson.protocol.kernel.command import Arg, Command, Eval
from pyredisson.protocol.kernel.replies import nothing, number, text, truth
from pyredisson.protocol.kernel.scripts import load

__all__ = ["ExpirableProtocol"]

_CONDITIONS = ("", "NX", "XX", "GT", "LT")


@dataclass(frozen=True, slots=True)
class ExpirableProtocol:
    """Operations on whole keys: `keys` are all keys of an object. The first decides the node."""

    keys: tuple[str, ...]

    def _plain(self, name: str, *, safe: bool = False) -> Command[bool]:
        return Command((name, *self.keys), truth, self.keys[0], safe=safe)

    def exists(self) -> Command[bool]:
        """EXISTS: return whether any of the keys exists."""
        return self._plain("EXISTS", safe=True)

    def absent(self) -> Command[bool]:
        """EXISTS: return whether none of the keys exists."""
        return Command(("EXISTS", *self.keys), lambda count: not count, self.keys[0], safe=True)

    def delete(self) -> Command[bool]:
        """DEL; return whether any key existed."""
        return self._plain("DEL")

    def unlink(self) -> Command[bool]:
        """UNLINK (DEL that frees the memory later); return whether any key existed."""
        return self._plain("UNLINK")

    def touch(self) -> Command[bool]:
        """TOUCH; return whether any key existed."""
        return self._plain("TOUCH", safe=True)

    def ttl_ms(self) -> Command[int]:
        """PTTL of the first key: milliseconds; -1 without a time to live, -2 if it is missing."""
        return Command(("PTTL", self.keys[0]), number, self.keys[0], safe=True)

    def expire_time_ms(self) -> Command[int]:
        """PEXPIRETIME (Redis 7) of the first key: epoch milliseconds; -1 and -2 as in `ttl_ms`."""
        return Command(("PEXPIRETIME", self.keys[0]), number, self.keys[0], safe=True)

    def idle_seconds(self) -> Command[int | None]:
        """OBJECT IDLETIME of the first key; None if the key does not exist."""
        return Command(("OBJECT", "IDLETIME", self.keys[0]), lambda r: r, self.keys[0], safe=True)

    def expire(self, milliseconds: int, *, absolute: bool, condition: str) -> Eval[bool]:
        """PEXPIRE, or with `absolute` PEXPIREAT, of all keys; return whether any key changed.

        `condition` is NX, XX, GT or LT (Redis 7), or '' for none.
        """
        if condition not in _CONDITIONS:
            raise ValueError(f"condition must be one of {_CONDITIONS}, not {condition!r}")
        command = "pexpireat" if absolute else "pexpire"
        return Eval(load("objects/expire"), self.keys, (command, milliseconds, condition), truth)

    def persist(self) -> Eval[bool]:
        """PERSIST of all keys; return whether any had a time to live."""
        return Eval(load("objects/persist"), self.keys, (), truth)

    def memory(self) -> Eval[int]:
        """MEMORY USAGE: the sum of all keys, in bytes."""
        return Eval(load("objects/memory"), self.keys, (), number, safe=True)

    def copy(self, targets: tuple[str, ...], database: int | None, *, replace: bool) -> Eval[bool]:
        """COPY each key to its target; return whether any key was copied.

        If `database` is None, the targets are in the same database. Then no key is copied if any
        target exists and `replace` is False. In another database, only the keys whose targets exist
        are not copied, unless `replace` is True.
        """
        args: tuple[Arg, ...] = ("" if database is None else database, "replace" if replace else "")
        return Eval(load("objects/copy"), self.keys + targets, args, truth)

    def rename(self, targets: tuple[str, ...], *, only_new: bool) -> Eval[bool]:
        """RENAME each key that exists to its target, and delete the targets of the other keys.

        With `only_new`, do nothing and return False if any target exists. If no key exists, the
        reply is the error of Redis, "no such key".
        """
        args = ("nx" if only_new else "",)
        return Eval(load("objects/rename"), self.keys + targets, args, truth)

    def move(self, database: int) -> Eval[bool]:
        """MOVE each key that another database does not have; return whether any was moved."""
        return Eval(load("objects/move"), self.keys, (database,), truth)

    def migrate(self, host: str, port: int, database: int, timeout_ms: int) -> Command[None]:
        """MIGRATE all keys to another server."""
        args: tuple[Arg, ...] = (
            "MIGRATE",
            host,
            port,
            "",
            database,
            timeout_ms,
            "KEYS",
            *self.keys,
        )
        return Command(args, nothing, self.keys[0])

    def dump(self, key: str) -> Command[bytes | None]:
        """DUMP of one of the keys; None if the key does not exist."""
        return Command(("DUMP", key), lambda reply: reply, key, safe=True)

    def restore(self, key: str, data: bytes, ttl_ms: int, *, replace: bool) -> Command[None]:
        """RESTORE of one of the keys; a `ttl_ms` of 0 means no time to live."""
        args: tuple[Arg, ...] = ("RESTORE", key, ttl_ms, data)
        if replace:
            args = (*args, "REPLACE")
        return Command(args, nothing, key)


def type_of(key: str) -> Command[str]:
    """TYPE of one key: ``none``, ``list``, ``zset`` and so on."""
    return Command(("TYPE", key), text, key, safe=True)
