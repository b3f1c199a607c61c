"""The recorded ACL rights of each public method, and the page that documents them.

Rule: the commands of a script are those that it ran while recording, and those in its own file.
"""

import inspect
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pyredisson._async.objects.expirable import AsyncExpirableObject
from tests.support.rights import CHECKS, REPAIRS

ROOT = Path(__file__).resolve().parents[2]
RECORDED = ROOT / "tests" / "vectors" / "rights.json"
PAGE = ROOT / "docs" / "rights.md"
_CALLED = re.compile(
    r"\b(?:call|pcall|remove|undo|need|denied|without_memory)\(\s*'(\w+)'", re.IGNORECASE
)
EVERYBODY = {
    *("+type", "+time", "+info", "+ping", "+unsubscribe"),
    *("+client|setname", "+client|id", "+client|unblock"),
}
"""Rights that are useful for each user. They are needed only where the tables say so."""


def literals(text: str) -> set[str]:
    """Return the commands that a script's text contains."""
    found = {f"+{name.lower()}" for name in _CALLED.findall(text)}
    return {"+memory|usage" if name == "+memory" else name for name in found}


@dataclass(frozen=True)
class Access:
    """The rights of one call. It is rejected if one of `needs` is missing."""

    needs: frozenset[str]
    used: frozenset[str]
    """Rights that the call used while recording, and without which it also succeeded."""
    scripts: tuple[str, ...]

    @property
    def also(self) -> frozenset[str]:
        """Rights that the call sometimes uses, including those of its scripts in other states."""
        words = {word for name in self.scripts for word in scripts()[name]}
        return frozenset((self.used | words) - self.needs)


@cache
def scripts() -> dict[str, list[str]]:
    """The commands of each script."""
    found: dict[str, list[str]] = json.loads(RECORDED.read_text("utf-8"))["scripts"]
    return found


@cache
def accesses() -> dict[str, dict[str, Access]]:
    """Return the calls of each kind of object."""
    recorded = json.loads(RECORDED.read_text("utf-8"))["calls"]
    return {
        kind: {
            label: Access(frozenset(row["needs"]), frozenset(row["also"]), tuple(row["scripts"]))
            for label, row in rows.items()
        }
        for kind, rows in recorded.items()
    }


# --- ready users -------------------------------------------------------------------------------

OF_THE_QUEUE = "~orders ~redisson_delay_queue*:{orders} ~pyredisson_*:{orders}"
THE_CHANNEL = "&redisson_delay_queue_channel:{orders}"


@dataclass(frozen=True)
class Role:
    """A user on the page. `calls` has a pattern of calls by kind of object; "" matches all."""

    name: str
    does: str
    calls: dict[str, str]
    keys: str = OF_THE_QUEUE
    channel: str = THE_CHANNEL
    more: tuple[str, ...] = ()
    instead: tuple[str, ...] = ()
    reads: bool = False

    def labels(self, kind: str) -> list[str]:
        """Return the calls of a kind that this user makes."""
        wanted = re.compile(self.calls.get(kind, "(?!)"))
        return [label for label in accesses()[kind] if wanted.match(label)]

    def words(self) -> list[str]:
        """Return the commands that this user may run."""
        if self.instead:
            return list(self.instead)
        found = {"+type", "+time", "+info", "+ping", "+client|setname", *self.more}
        for kind in self.calls:
            for access in map(accesses()[kind].__getitem__, self.labels(kind)):
                found |= access.needs | (access.used if self.reads else access.also)
        found |= {"+unsubscribe"} if "+subscribe" in found else set()
        found |= {"+lpush", "+client|unblock"} if "+client|id" in found else set()
        return sorted(each for each in found if each.startswith("+"))

    def line(self) -> str:
        """Return the line of the page that makes this user."""
        rights = " ".join((self.keys, self.channel, *self.words())).replace("  ", " ")
        return f"ACL SETUSER {self.name} reset on >secret resetchannels {rights}"


_DECIDES = r"cancel|reschedule|remaining_delay|receipt_of|retries_of|contains|size\(|is_empty"
_LOOKS = {
    "queue": r"size\(|is_empty|peek\(|read_all|in_flight|is_paused",
    "delayed queue": r"size\(|is_empty|peek|read_all|items|check|repair\(\)",
    "poison": r"for|read_all|size\(",
    "letters": r"for|read_all|size\(",
    "group letters": r"for|read_all|size\(",
    "schedule": "entries",
    "window": "pending|in_flight",
}
ROLES = [
    Role(
        "producer",
        "offers; cancels, reschedules and looks up pending items",
        {
            "queue": r"(add|offer|put)\(|size\(|is_empty",
            "delayed queue": rf"offer|{_DECIDES}",
            "bounded queue": "",
            "expiring queue": "",
        },
    ),
    Role(
        "consumer",
        "`take` and `poll` of a queue, without acknowledgement, as Java does; transfers nothing",
        {
            "queue": r"(take|poll)\(|size\(|is_empty",
            "background": r"take\(\)",
        },
        "~orders ~pyredisson_poison:{orders}",
        "",
        ("+blmove",),
    ),
    Role(
        "worker",
        "`Worker` and `get_consumer`, with retries, dead letters and transfers",
        {
            "consumer": "",
            "message": "",
            "background": r"transfers|Worker|take\(\)",
            "queue": r"size\(|is_empty",
        },
    ),
    Role(
        "sidecar",
        "`pyredisson transfer orders`",
        {"background": "transfers", "delayed queue": r"size\("},
    ),
    Role(
        "viewer",
        "`pyredisson check` and `doctor`, and reads all contents of a queue; changes nothing",
        _LOOKS,
        channel="",
        more=(*CHECKS, "+pubsub|numsub", "+exists", "+hlen", "+zcount", "+zrange", "+zrank"),
        reads=True,
    ),
    Role(
        "operator",
        "`pyredisson check --repair orders`, dead letters, poison list, pause, cancel",
        {
            **_LOOKS,
            "delayed queue": rf"repair|check|items|peek|read_all|{_DECIDES}",
            "queue": _LOOKS["queue"] + "|pause|resume",
            "poison": r"for|read_all|size\(|drop|requeue",
            "letters": "",
            "group letters": "",
        },
        more=(*CHECKS, *REPAIRS, "+pubsub|numsub", "+exists", "+zcount", "+zrank"),
    ),
    Role(
        "application",
        "all of the above, recurring work, group windows, buckets; not `migrate` and `restore`",
        dict.fromkeys(accesses(), "(?!migrate|restore)") if RECORDED.exists() else {},
        instead=("+@all", "-@admin", "-@dangerous", "+info", "+client|unblock"),
    ),
]


def pasted(role: Role) -> list[str]:
    """Return the rights of a role on the page, for a queue ``q``, its shards, and another queue."""
    line = re.search(rf"^ACL SETUSER {role.name} (.*)$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert line
    rights = line.group(1).replace("reset on >secret ", "").split()
    return [
        each.replace("orders", name)
        for each in rights
        for name in (("q", "q:*", "other") if "orders" in each else ("",))
    ]


# --- the page ----------------------------------------------------------------------------------

TITLES = {
    "background": "Transfers, workers and interrupted takes",
    "queue": "Queue, deque",
    "delayed queue": "Delayed queue",
    "bounded queue": "Delayed queue with `max_size=`",
    "expiring queue": "Delayed queue with `expire_after=`",
    "durable queue": "Delayed queue with `durable=Durable(replicas=…)`; with `fsync=` `+waitaof`; "
    "a repeated offer also needs `+set` and the key pyredisson_touched",
    "consumer": "Consumer",
    "message": "Message",
    "letters": "Dead letters",
    "poison": "Poison list",
    "schedule": "Schedule",
    "window": "Group window",
    "group consumer": "Consumer of a group window",
    "group message": "Message of a group window",
    "group letters": "Dead letters of a group window",
    "bucket": "Bucket",
}
_SHORT = {
    "~redisson_delay_queue:{q}": "list",
    "~redisson_delay_queue_timeout:{q}": "set",
    "~redisson_delay_queue_channel:{q}": "channel name",
}
_SHARED = [name for name, _ in inspect.getmembers(AsyncExpirableObject, inspect.isfunction)]
_HANDLES = ("queue", "delayed queue", "poison", "bucket")


def is_shared(label: str) -> bool:
    """Whether all objects have this method."""
    name = label.partition("(")[0]
    return name in _SHARED and not name.startswith("_")


def _keys(needs: Iterable[str]) -> str:
    found = sorted(each for each in needs if each.startswith("~"))
    own = [each[1:].removesuffix(":{q}") for each in found if each.startswith("~pyredisson_")]
    words = [_SHORT.get(each, each[1:]) for each in found if not each.startswith("~pyredisson_")]
    words = sorted(words, key=["q", *_SHORT.values(), "other"].index)
    words += own if len(own) < 4 else ["pyredisson_*"]
    words += ["&channel"] if any(each.startswith("&") for each in needs) else []
    return ", ".join(words)


def _commands(words: Iterable[str]) -> str:
    found = sorted(each for each in words if each.startswith("+"))
    front = [each for each in ("+evalsha", "+eval") if each in found]
    return " ".join([*front, *(each for each in found if each not in front)])


def _rows(rows: dict[str, Access], *, keys: bool = True) -> Iterator[str]:
    joined: dict[tuple[str, str, str], list[str]] = {}
    for label, access in rows.items():
        also = _commands(access.also - EVERYBODY)
        where = _keys(access.needs) if keys else "its own"
        joined.setdefault((_commands(access.needs), also, where), []).append(f"`{label}`")
    for (needs, also, where), labels in joined.items():
        at_times = f"`{also}`" if also else ""
        yield f"| {' '.join(labels)} | `{needs}` | {at_times} | {where} |"


def _of_all_objects() -> dict[str, Access]:
    rows: dict[str, Access] = {}
    for label in filter(is_shared, accesses()["queue"]):
        known = [accesses()[kind][label] for kind in _HANDLES if label in accesses()[kind]]
        needs = frozenset(word for each in known for word in each.needs if word[0] == "+")
        used = frozenset(word for each in known for word in each.used if word[0] == "+")
        rows[label] = Access(needs, used - needs, known[0].scripts)
    return rows


def tables() -> str:
    """Return the tables of the page with the rights of each method."""
    head = "| call | needs | uses at times | keys |\n| --- | --- | --- | --- |"
    parts = []
    for kind, title in TITLES.items():
        rows = {
            label: access
            for label, access in accesses()[kind].items()
            if kind not in _HANDLES or not is_shared(label)
        }
        parts.append("\n".join([f"### {title}\n", head, *_rows(rows)]))
    shared = _rows(_of_all_objects(), keys=False)
    parts.append("\n".join(["### Queue, delayed queue, poison list and bucket\n", head, *shared]))
    return "\n\n".join(parts)


def users() -> str:
    """Return the lines that make the users."""
    return "\n\n".join(
        f"**{role.name}**: {role.does}.\n\n```\n{role.line()}\n```" for role in ROLES
    )


def page(text: str) -> str:
    """Return the page with new generated parts."""
    for name, part in (("users", users()), ("tables", tables())):
        begin, end = f"<!-- {name}: generated by python -m tests.support.access -->", "<!-- end -->"
        front, rest = text.split(begin)
        text = f"{front}{begin}\n\n{part}\n\n{end}{rest.partition(end)[2]}"
    return text


def write_page() -> None:
    """Write the page with new generated parts."""
    accesses.cache_clear()
    scripts.cache_clear()
    PAGE.write_text(page(PAGE.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    write_page()
