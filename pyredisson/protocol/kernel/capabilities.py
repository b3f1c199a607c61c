"""What a server does not let us use, and what is made of it.

Managed services, proxies and renamed commands refuse in words of their own. So a refusal is known
by what it is not: the state of a server that is changing, or an error of the data. The rule: what
was refused is not asked for again until `AGAIN` seconds have passed, as a right may be granted and
a command may come back with another server. What an ACL refuses (NOPERM) is only missing where
nothing else can be done: else its error names the right, which can be granted.
"""

from __future__ import annotations

import re
from typing import Any

from pyredisson.protocol.kernel.command import Command, Eval, Operation
from pyredisson.protocol.kernel.outage import Outages

__all__ = [
    "AGAIN",
    "CONSEQUENCES",
    "LOOKS",
    "LOUD",
    "SEVERAL",
    "Capabilities",
    "blocking_word",
    "explained",
    "is_denied",
    "is_of_command",
    "is_of_script",
    "is_out_of_date",
    "version_of",
]

AGAIN = 30.0
"""Seconds after which something that was refused is tried again."""

LOOKS = 0.1
"""Seconds between two looks of a wait, where the server does not let anybody wait."""

SEVERAL = "a call for several queues"
_WAITS = f"waits look every {LOOKS:g} s"
CONSEQUENCES = {
    "TIME": "due times follow this machine's clock",
    "PUBLISH": "offers are stored and nobody hears of them, so transfer tasks of other clients "
    "look every safety interval",
    "EVALSHA": "scripts are sent whole, by EVAL",
    SEVERAL: "queues are looked at one by one",
    "BLMPOP": "other commands do the same",
    **dict.fromkeys(("BLPOP", "BRPOP", "BLMOVE", "BRPOPLPUSH"), _WAITS),
}
"""What follows where a client does without something."""

LOUD = frozenset({"TIME", "PUBLISH"})
"""That of which a user should know."""

_CODES = frozenset(
    (
        *("ASK", "BUSY", "BUSYKEY", "CLUSTERDOWN", "CROSSSLOT", "EXECABORT", "LOADING"),
        *("MASTERDOWN", "MISCONF", "MOVED", "NOAUTH", "NOREPLICAS", "NOSCRIPT", "NOTBUSY", "OOM"),
        *("READONLY", "TRYAGAIN", "UNBLOCKED", "UNKILLABLE", "WRONGPASS", "WRONGTYPE"),
    )
)
"""What an error begins with that is about the server's state or the data, not about a command."""

_IN_TRANSIT = re.compile(
    r"upstream|backend|timed? ?out|connection (was |is )?(lost|refused|reset|closed|broken)",
    re.IGNORECASE,
)
"""What proxies say where they did not reach a server, or have lost its reply."""

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
    "WAITAOF": "7.2",
}
"""Since which Redis there are commands, or words of them, that are newer than the oldest one."""

_USERS = {
    "buckets": "buckets",
    "checks": "checks and repairs",
    "consumers": "consumers and workers",
    "dead_letters": "dead letters",
    "delayed": "delayed queues",
    "objects": "copies and the like",
    "poison": "poison lists",
    "queues": "queues",
    "queues/pause": "the pause",
    "schedules": "recurring work",
    "windows": "group windows",
}
"""What scripts are for, by their names or folders."""

_REMEDIES = (
    (
        re.compile("bad lua script", re.IGNORECASE),
        "a proxy of Tair (Alibaba Cloud) checks scripts: set its script_check_enable to 0",
    ),
    (
        re.compile(r"\bstruct\b.*nil value|global variable 'struct'", re.IGNORECASE),
        "Lua of a real Redis has struct, so this is an imitation: in tests use "
        "pyredisson.embedded.EmbeddedServer (pyredisson[server]) or a redis-server",
    ),
    (
        re.compile("same slot", re.IGNORECASE),
        "this server takes the keys of one slot at a time: call it for one queue at a time, or "
        "make the client with RedisCluster",
    ),
)


def is_of_command(text: str) -> bool:
    """Tell whether an error reply to a command in order may be about the command as such."""
    said = text.partition(", with args")[0]
    return said.partition(" ")[0] not in _CODES and not _IN_TRANSIT.search(said)


def is_of_script(text: str) -> bool:
    """Tell whether an error comes from within a script of ours: then the script has run."""
    return _OWN.search(text) is not None


def is_denied(text: str) -> bool:
    """Tell whether an ACL says it of a command in a script, where its code may be cut off."""
    return _DENIED.search(text) is not None


def is_out_of_date(text: str) -> bool:
    """Tell whether an error may be that of a server which is too old for a command."""
    return _AGED.search(text) is not None


def version_of(info: Any) -> str | None:
    """Read the version of Redis from INFO; None where a server does not say it."""
    found = _VERSION.search(info) if isinstance(info, bytes) else None
    return found.group(1).decode() if found else None


def blocking_word(operation: Operation[Any]) -> str:
    """Return the command by which an operation waits."""
    return str((operation.ahead or operation.request())[0])


def explained(text: str, operation: Operation[Any], version: str | None) -> str:
    """Return the text of an error with what it means and what to do, where that is known.

    Args:
        text: the server's.
        operation: what was refused.
        version: that of the server, where it may be too old and says so.
    """
    for words, remedy in _REMEDIES:
        if words.search(text):
            return f"{text} ({operation.key!r}: {remedy})"
    called = _CALLED.search(text)
    command = called.group(1) if called else blocking_word(operation)
    what = f"{command}{_purpose(operation)} of {operation.key!r}"
    since = _SINCE.get(command, _OLDEST)
    if version is not None and is_out_of_date(text) and _parts(version) < _parts(since):
        return f"{what} needs Redis {since} or newer; this is {version}: {text}"
    if isinstance(operation, Eval) and _UNKNOWN.search(text):
        clock = ", whose clock they go by" if command == "TIME" else ""
        return f"{what} is not available on this server{clock}: {text}"
    return text


def _purpose(operation: Operation[Any]) -> str:
    if isinstance(operation, Command):
        return ""
    name = operation.script.name
    return f" for {_USERS.get(name) or _USERS[name.partition('/')[0]]}"


def _parts(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


class Capabilities:
    """What was refused lately; each step is one operation of a dict, for threads.

    Times are monotonic seconds.
    """

    def __init__(self) -> None:
        self._until: dict[str, float] = {}
        self._outages = Outages()

    def __bool__(self) -> bool:
        """Tell whether anything was refused."""
        return bool(self._until)

    def __contains__(self, what: object) -> bool:
        """Tell whether something was refused, and was not granted since."""
        return what in self._until

    def lacks(self, what: str, now: float) -> bool:
        """Tell whether to do without something: it was refused a short time ago."""
        return now < self._until.get(what, now)

    def refused(self, what: str, now: float) -> bool:
        """Note a refusal; is it news?"""
        self._until[what] = now + AGAIN
        return self._outages.begins(what, now)

    def granted(self, what: str, now: float) -> float | None:
        """Note that something was not refused; for how many seconds was it, if that ends now?"""
        if self._until.pop(what, None) is None:
            return None
        return self._outages.ended(what, now)
