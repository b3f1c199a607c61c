"""What a server does not support or permit, and what the client does instead.

Managed services, proxies and servers with renamed commands reject commands with their own texts.
Therefore an error counts as a rejection if it reports neither the server's state nor an error in
the data. The rule: a rejected command is tried again after `AGAIN` seconds. By then it is possible
that a user has granted the permission, or that another server has the command. Of commands that an
ACL rejects (NOPERM), only TIME counts as missing. For other commands, the error names the
permission that a user must grant.
"""

from __future__ import annotations

import re
from typing import Any

from pyredisson.protocol.kernel.command import Command, Eval, Operation
from pyredisson.protocol.kernel.outage import Outages

__all__ = [
    "AGAIN",
    "CHECK_INTERVAL",
    "CONSEQUENCES",
    "LONG",
    "LOUD",
    "SEVERAL",
    "Capabilities",
    "blocking_word",
    "explained",
    "is_denied",
    "is_of_command",
    "is_of_script",
    "is_out_of_date",
    "longest",
    "perhaps_too_long",
    "version_of",
]

AGAIN = 30.0
"""Seconds after which a rejected command is tried again."""

CHECK_INTERVAL = 0.1
"""Seconds between two polls of a wait, where the server rejects blocking commands."""

SEVERAL = "a call for several queues"
_WAITS = f"waits poll every {CHECK_INTERVAL:g} s"
CONSEQUENCES = {
    "TIME": "due times follow this machine's clock",
    "PUBLISH": "offers are stored without a notification, so transfer tasks of other clients "
    "poll every safety interval",
    "EVALSHA": "scripts are sent whole, by EVAL",
    SEVERAL: "queues are checked one by one",
    "BLMPOP": "other commands do the same",
    **dict.fromkeys(("BLPOP", "BRPOP", "BLMOVE", "BRPOPLPUSH"), _WAITS),
    **dict.fromkeys(("BZPOPMIN", "BZPOPMAX"), _WAITS),
}
"""The consequence of each missing command, for the log."""

LOUD = frozenset({"TIME", "PUBLISH"})
"""The missing commands that are logged as warnings."""

_CODES = frozenset(
    (
        *("ASK", "BUSY", "BUSYKEY", "CLUSTERDOWN", "CROSSSLOT", "EXECABORT", "LOADING"),
        *("MASTERDOWN", "MISCONF", "MOVED", "NOAUTH", "NOREPLICAS", "NOSCRIPT", "NOTBUSY", "OOM"),
        *("READONLY", "TRYAGAIN", "UNBLOCKED", "UNKILLABLE", "WRONGPASS", "WRONGTYPE"),
    )
)
"""Codes of errors that report the server's state or the data, not a rejected command."""

_IN_TRANSIT = re.compile(
    r"upstream|backend|timed? ?out|connection (was |is )?(lost|refused|reset|closed|broken)",
    re.IGNORECASE,
)
"""Words in the errors of proxies that did not reach a server, or lost the server's reply."""

_OWN = re.compile(r"user_script|\([A-Z]+ .*\)$|; not undone: ", re.DOTALL)
_DENIED = re.compile(r"^NOPERM |executing the script can't|ACL failure|permission")
_AGED = re.compile(r"unknown .*command|number of arg|syntax error", re.IGNORECASE)
_UNKNOWN = re.compile(
    r"unknown .*command|(un|not )supported|not available|disabled|not allowed|invalid command",
    re.IGNORECASE,
)
_CALLED = re.compile(r"\(([A-Z]+) [^()]*\)$", re.DOTALL)
_VERSION = re.compile(rb"^redis_version:([0-9]+(?:\.[0-9]+)*)", re.MULTILINE)

_OLDEST = "6.2"
_SINCE = {
    **dict.fromkeys(("BLMPOP", "LMPOP", "EXPIRETIME", "PEXPIRETIME", "EXPIRE", "PEXPIRE"), "7.0"),
    **dict.fromkeys(("EXPIREAT", "PEXPIREAT"), "7.0"),
    **dict.fromkeys(("SINTERCARD", "ZINTERCARD", "ZMPOP", "BZMPOP"), "7.0"),
    "WAITAOF": "7.2",
}
"""The Redis release that introduced a command, or one of its options, after `_OLDEST`."""

_USERS = {
    "bloom": "Bloom filters",
    "buckets": "buckets",
    "bits": "bit sets",
    "counters": "counters",
    "kernel": "giving back what was taken",
    "local_maps": "local cached maps",
    "locks": "locks",
    "maps": "maps",
    "migration": "migrations",
    "collections": "sets and lists",
    "checks": "checks and repairs",
    "consumers": "consumers and workers",
    "dead_letters": "dead letters",
    "delayed": "delayed queues",
    "objects": "copies and the like",
    "poison": "poison lists",
    "queues": "queues",
    "queues/pause": "the pause",
    "schedules": "recurring work",
    "synchronizers": "rate limiters, semaphores and latches",
    "topics": "reliable topics",
    "windows": "group windows",
}
"""The feature that a script belongs to, by its name or folder."""

LONG = 1024 * 1024
"""The smallest limit for arguments, in bytes, that Redis can have (proto-max-bulk-len)."""
_INVALID_LENGTH = "Protocol error: invalid bulk length"

_REMEDIES = (
    (
        re.compile("bad lua script", re.IGNORECASE),
        "a proxy of Tair (Alibaba Cloud) checks scripts: set its script_check_enable to 0",
    ),
    (
        re.compile(r"\bstruct\b.*nil value|global variable 'struct'", re.IGNORECASE),
        "a real Redis has struct in Lua, so this server is an imitation: in tests use "
        "pyredisson.embedded.EmbeddedServer (pyredisson[server]) or a redis-server",
    ),
    (
        re.compile("same slot", re.IGNORECASE),
        "this server accepts the keys of one slot only: call it for one queue at a time, or "
        "make the client with RedisCluster",
    ),
)


def is_of_command(text: str) -> bool:
    """Return whether an error reply to a valid command can mean that the command was rejected."""
    reply = text.partition(", with args")[0]
    return reply.partition(" ")[0] not in _CODES and not _IN_TRANSIT.search(reply)


def is_of_script(text: str) -> bool:
    """Return whether an error comes from a command in a script; then the script has started."""
    return _OWN.search(text) is not None


def is_denied(text: str) -> bool:
    """Return whether an error comes from an ACL; not all such errors of scripts have NOPERM."""
    return _DENIED.search(text) is not None


def is_out_of_date(text: str) -> bool:
    """Return whether an error can mean that the server is too old for a command."""
    return _AGED.search(text) is not None


def version_of(info: Any) -> str | None:
    """Return the version of Redis from a reply to INFO, or None if the reply has no version."""
    found = _VERSION.search(info) if isinstance(info, bytes) else None
    return found.group(1).decode() if found else None


def blocking_word(operation: Operation[Any]) -> str:
    """Return the name of the command that blocks: the first word of `ahead`, or of the request."""
    return str((operation.ahead or operation.request())[0])


def explained(text: str, operation: Operation[Any], version: str | None) -> str:
    """Return an error's text with its meaning and a remedy; an unknown text is returned unchanged.

    Args:
        text: the server's error text.
        operation: the rejected operation.
        version: the server's version. None if it is unknown, or if the text does not mean that the
            server is too old.
    """
    for words, remedy in _REMEDIES:
        if words.search(text):
            return f"{text} ({operation.key!r}: {remedy})"
    if _INVALID_LENGTH in text:
        return (
            f"{text} ({operation.key!r}: an argument of {longest(operation)} bytes is longer than "
            "the server's proto-max-bulk-len; nothing was stored. With max_bytes= such a value is "
            "rejected before it is sent)"
        )
    called = _CALLED.search(text)
    command = called.group(1) if called else blocking_word(operation)
    what = f"{command}{_purpose(operation)} of {operation.key!r}"
    since = _SINCE.get(command, _OLDEST)
    if version is not None and is_out_of_date(text) and _parts(version) < _parts(since):
        return f"{what} needs Redis {since} or newer; this is {version}: {text}"
    if isinstance(operation, Eval) and _UNKNOWN.search(text):
        clock = ", whose clock they use" if command == "TIME" else ""
        return f"{what} is not available on this server{clock}: {text}"
    return text


def longest(operation: Operation[Any]) -> int:
    """Return the bytes of an operation's longest argument; a str counts one byte a character."""
    return max(len(each) for each in operation.request() if isinstance(each, bytes | str))


def perhaps_too_long(operation: Operation[Any]) -> str:
    """Return a text for the error of a lost reply; "" if no argument has at least `LONG` bytes."""
    length = longest(operation)
    if length < LONG:
        return ""
    return (
        f"; if this repeats: an argument has {length} bytes, perhaps more than the server accepts "
        "(client-query-buffer-limit), and max_bytes= rejects such values before they are sent"
    )


def _purpose(operation: Operation[Any]) -> str:
    if isinstance(operation, Command):
        return ""
    name = operation.script.name
    return f" for {_USERS.get(name) or _USERS[name.partition('/')[0]]}"


def _parts(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


class Capabilities:
    """The commands and features that were rejected. Times are monotonic seconds.

    Threads may share the object: each step is one operation of a dict.
    """

    def __init__(self) -> None:
        self._until: dict[str, float] = {}
        self._outages = Outages()

    def __bool__(self) -> bool:
        """Return whether anything was rejected and not granted since."""
        return bool(self._until)

    def __contains__(self, what: object) -> bool:
        """Return whether `what` was rejected and not granted since."""
        return what in self._until

    def lacks(self, what: str, now: float) -> bool:
        """Return whether `what` was rejected in the last `AGAIN` seconds, and not granted since."""
        return now < self._until.get(what, now)

    def refused(self, what: str, now: float) -> bool:
        """Record a rejection; return whether it is the first one, or the first since a grant."""
        self._until[what] = now + AGAIN
        return self._outages.begins(what, now)

    def granted(self, what: str, now: float) -> float | None:
        """Record that `what` works; return the seconds since its first rejection.

        Return None if `what` was not rejected since the last call for it.
        """
        if self._until.pop(what, None) is None:
            return None
        return self._outages.ended(what, now)
