"""Servers as vendors offer them, and each single thing that a server may lack.

A profile is what `tests/support/gateway.py` is told, and what the smoke script (`tests/_async/smoke.py`)
may answer with a refusal there: all else has to work, and on time. A new profile is a few lines
here. `source` names the vendor's page.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

UNKNOWN = "ERR unknown command '{name}'"
CROSSSLOT = "CROSSSLOT Keys in request don't hash to the same slot"


@dataclass(frozen=True)
class Profile:
    """One server.

    Args:
        name: also what the tests are called by.
        denied: commands ("TIME"), or with their subcommand ("CLIENT SETNAME"), that no client may
            send; scripts may.
        lacks: commands that scripts may not call, either.
        words: of a denial; {name} is the command.
        splits: a blocking command has a connection of its own, so what follows is not behind it.
        idle: seconds after which a flow without bytes is forgotten, and gets a RST.
        checks_lua: as Alibaba's proxy.
        one_slot: what is said to keys in several slots, where that is refused.
        version: what INFO says.
        refused: steps of the smoke script by name, and words of the error that each ends with.
        source: where it is documented.
    """

    name: str
    denied: frozenset[str] = frozenset()
    lacks: tuple[str, ...] = ()
    words: str = UNKNOWN
    splits: bool = False
    idle: float | None = None
    checks_lua: bool = False
    one_slot: str | None = None
    version: str | None = None
    refused: Mapping[str, str] = field(default_factory=dict)
    source: str = ""


def _of(words: str) -> frozenset[str]:
    """Commands, separated by commas."""
    return frozenset(word.strip() for word in words.split(","))


_ALL = [
    Profile("plain"),
    Profile("no TIME", lacks=("TIME",)),
    Profile("no SUBSCRIBE", lacks=("SUBSCRIBE",)),
    Profile("no BLMPOP", lacks=("BLMPOP",)),
    Profile("no EVALSHA", lacks=("EVALSHA",)),
    Profile("no PUBLISH", lacks=("PUBLISH",)),
    Profile("no CLIENT", lacks=("CLIENT",)),
    Profile("splits", splits=True),
    Profile("idle", idle=1.5),
    Profile("one slot", one_slot=CROSSSLOT),
]
PROFILES = {profile.name: profile for profile in _ALL}
