"""Servers of vendors, and servers without a single feature.

A profile configures `tests/support/gateway.py`, and names the steps of the smoke run
(`tests/_async/smoke/`) that the server rejects. All other steps must work, and on time. A new
profile is a few lines here. `source` names the vendor's page.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import redis

UNKNOWN = "ERR unknown command '{name}'"
CROSSSLOT = "CROSSSLOT Keys in request don't hash to the same slot"


@dataclass(frozen=True)
class Profile:
    """One server.

    Args:
        name: also a part of the tests' names.
        denied: commands ("TIME"), or with their subcommand ("CLIENT SETNAME"), that no client may
            send; scripts may.
        lacks: commands that scripts may not call, either; the server does not have them.
        words: the error of a denial; {name} is the command, {lower} its form in NOPERM errors.
        splits: a blocking command has its own connection, so later commands do not wait for it.
        idle: seconds after which a flow without bytes is forgotten, and gets a RST; more than the
            longest wait on the server, as with all vendors.
        checks_lua: whether Lua is checked, as by Alibaba's proxy.
        one_slot: the error for keys in several slots, if they are rejected.
        version: the server's version in INFO.
        hangs_up: whether a denied command closes the connection.
        nameless: whether clients must not send the name of their library.
        supported: False if too little works for the tests; the profile is for experiments.
        refused: steps of the smoke script by name, and a part of the error of each.
        source: the documentation.
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
    hangs_up: bool = False
    nameless: bool = False
    supported: bool = True
    refused: Mapping[str, str] = field(default_factory=dict)
    source: str = ""

    @property
    def options(self) -> dict[str, Any]:
        """The options that a redis-py client needs for this server."""
        found: dict[str, Any] = {}
        if self.idle is not None:  # less than `idle`, as in docs/servers.md
            found["health_check_interval"] = self.idle / 2
        if self.nameless:
            found |= {"driver_info": None} if hasattr(redis, "DriverInfo") else {"lib_name": None}
        return found

    @property
    def rest(self) -> float:
        """Seconds after which idle flows are certainly forgotten."""
        return 0.0 if self.idle is None else 1.5 * self.idle


def _of(words: str) -> frozenset[str]:
    """Commands, separated by commas."""
    return frozenset(word.strip() for word in words.split(","))


_MANAGED = "BGREWRITEAOF, BGSAVE, CONFIG, DEBUG, MIGRATE, REPLICAOF, SAVE, SHUTDOWN, SLAVEOF, SYNC"
_NOPERM = "NOPERM User default has no permissions to run the '{lower}' command"
_ALIBABA_CLIENT = _of("CLIENT ID, CLIENT INFO, CLIENT UNBLOCK, CLIENT SETINFO, HELLO, WAIT")
_PUBSUB = "SUBSCRIBE, PSUBSCRIBE, UNSUBSCRIBE, PUNSUBSCRIBE, PUBLISH"

_CONSUMING = _of(
    "expiring, shards, take and acknowledge, consumer in vain, idle consumer, "
    "delayed to a consumer, take many, back at once, back after a delay, defer, dead letters, "
    "longer lease, a lease ends, in flight, pause and resume, unused goes back, worker, "
    "worker retries, worker batches, worker of several queues, window that is full, "
    "window that is due, after a rest, a wait longer than flows last, closing"
)
"""Steps with messages that have leases."""
_SCRIPTED = _CONSUMING | _of(
    "bucket, poll several, waiting poll of several, drain, search and remove, keys, offer, "
    "offer at a moment, a shorter delay comes first, offer many, cancel, reschedule, pending, "
    "one for each key, a full queue, another offers, many delayed queues, no failures, schedule, "
    "check and repair, sidecar, transfer process"
)
"""Steps with scripts other than those of offers."""

_ALL = [
    Profile("plain"),
    # One restriction each.
    Profile(
        "no TIME",
        lacks=("TIME",),
        refused=dict.fromkeys(_CONSUMING, "whose clock they use"),
    ),
    Profile("no SUBSCRIBE", lacks=("SUBSCRIBE",)),
    Profile("no PUBLISH", lacks=("PUBLISH",)),
    Profile("no BLMPOP", lacks=("BLMPOP",)),
    Profile("no BLMOVE", lacks=("BLMOVE",)),
    Profile("no waiting", denied=_of("BLPOP, BRPOP, BLMOVE, BLMPOP, BRPOPLPUSH")),
    Profile("no EVALSHA", lacks=("EVALSHA",)),
    Profile("no CLIENT", lacks=("CLIENT",)),
    Profile("no INFO", lacks=("INFO",)),
    Profile("splits", splits=True),
    Profile("idle", idle=3.0),
    Profile("one slot", one_slot=CROSSSLOT),
    Profile(
        "Redis 6.0",
        lacks=("LMOVE", "BLMOVE", "LMPOP", "BLMPOP", "COPY", "GETEX", "GETDEL"),
        version="6.0.16",
    ),
    # Two profiles that together have most restrictions.
    Profile(
        "other words",
        denied=_of(f"TIME, BLMPOP, BLMOVE, CLIENT SETNAME, {_PUBSUB}"),
        words="ERR Command is not available: '{name}'",
        source="the words are Upstash's, in sidekiq/sidekiq#5641",
    ),
    Profile("splits and idle", splits=True, idle=3.0),
    # Vendors.
    Profile(
        "ElastiCache",
        denied=_of(_MANAGED),
        source="Amazon ElastiCache: Restricted commands",
    ),
    Profile(
        "ElastiCache Serverless",
        denied=_of(_MANAGED) | _of("SELECT"),
        one_slot=CROSSSLOT,
        splits=True,
        source="Amazon ElastiCache: Restricted commands; Overall best practices (cluster mode)",
    ),
    Profile(
        "MemoryDB",
        denied=_of(_MANAGED) | _of("MODULE, PSYNC, ACL SETUSER"),
        source="Amazon MemoryDB: Restricted commands",
    ),
    Profile(
        "Memorystore for Redis",
        denied=_of(_MANAGED) | _of("CLIENT"),
        words=_NOPERM,
        source="Memorystore for Redis: Supported and blocked commands (CLIENT is in neither part)",
    ),
    Profile(
        "Memorystore for Valkey",
        denied=_of(_MANAGED) | _of("CLIENT UNBLOCK, CLIENT SETINFO, CLIENT NO-TOUCH, CLIENT PAUSE"),
        words=_NOPERM,
        source="Memorystore for Valkey: Supported and blocked commands",
    ),
    Profile(
        "Redis Software",
        denied=_of(_MANAGED) | _of("CLIENT PAUSE, CLIENT NO-EVICT, RESET, SELECT, MOVE"),
        one_slot=CROSSSLOT,
        splits=True,
        source="Redis Software and Redis Cloud: Connection management commands compatibility",
    ),
    Profile(
        "Azure Cache for Redis",
        denied=_of(_MANAGED) | _of("ACL SETUSER, CLUSTER, PSYNC"),
        idle=3.0,
        source="Azure Cache for Redis: Configure; Connection resilience (idle after 10 minutes)",
    ),
    Profile(
        "Azure Managed Redis",
        denied=_of(_MANAGED) | _of("CLIENT PAUSE, CLIENT NO-EVICT, RESET, SELECT, MOVE"),
        one_slot=CROSSSLOT,
        splits=True,
        idle=3.0,
        source="Azure Managed Redis: Best practices for client libraries (Enterprise clustering)",
    ),
    Profile(
        "Tair without proxy",
        denied=_of(_MANAGED),
        source="Tair: Redis Open-Source Edition command support",
    ),
    Profile(
        "Tair with proxy",
        denied=_of(_MANAGED) | _ALIBABA_CLIENT,
        checks_lua=True,
        one_slot=CROSSSLOT,
        splits=True,
        refused=dict.fromkeys(_SCRIPTED, "script_check_enable to 0"),
        source="Tair: Lua scripting; Command limitations for cluster architecture",
    ),
    Profile(
        "Tair with proxy, unchecked",
        denied=_of(_MANAGED) | _ALIBABA_CLIENT,
        one_slot="ERR eval/evalsha command keys must be in same slot",
        splits=True,
        source="Tair: Lua scripting, with script_check_enable=0",
    ),
    Profile(
        "Tencent",
        denied=_of(_MANAGED) | _of("HELLO, CLIENT ID, CLIENT UNBLOCK"),
        one_slot=CROSSSLOT,
        splits=True,
        source="Tencent Cloud Distributed Cache: Command Reference Overview (cluster, no RESP3)",
    ),
    Profile(
        "Huawei",
        denied=_of(_MANAGED) | _of("CLIENT UNBLOCK, CLIENT SETINFO, HELLO"),
        one_slot=CROSSSLOT,
        splits=True,
        source="Huawei DCS: Command Restrictions (Proxy Cluster); Redis Command Compatibility",
    ),
    Profile(
        "Upstash",
        denied=_of(_MANAGED) | _of("CLIENT ID, CLIENT UNBLOCK, CLIENT SETNAME, WAIT"),
        words="ERR Command is not available: '{name}'. See https://upstash.com for details",
        source="Upstash: Redis API Compatibility; the words are in sidekiq/sidekiq#5641",
    ),
    Profile(
        "OCI Cache",
        denied=_of("ACL, BGREWRITEAOF, BGSAVE, CLUSTER, CONFIG SET, DEBUG, MIGRATE, MODULE, SAVE"),
        source="OCI Cache: Unsupported Valkey and Redis Commands (not sharded)",
    ),
    Profile(
        "OCI Cache, sharded",
        denied=_of("ACL, CONFIG SET, MIGRATE, EVAL, EVALSHA, FCALL, FUNCTION, SCRIPT"),
        one_slot=CROSSSLOT,
        refused=dict.fromkeys(
            _SCRIPTED | {"offers at the same time"}, "is not available on this server"
        ),
        source="OCI Cache: Unsupported Valkey and Redis Commands",
    ),
    # Proxies in front of servers.
    Profile(
        "twemproxy",
        denied=_of(_MANAGED)
        | _of(_PUBSUB)
        | _of("TIME, CLIENT, INFO, HELLO, SCRIPT, BLPOP, BRPOP, BLMOVE, BLMPOP, BRPOPLPUSH")
        | _of("SELECT, RENAME, RENAMENX, MOVE, OBJECT, WAIT"),
        hangs_up=True,
        nameless=True,
        supported=False,  # waits and delayed queues lose their connections
        source="twemproxy: notes/redis.md; nutcracker 0.5.0, as Debian 12 has it, does the same",
    ),
    Profile(
        "Envoy",
        denied=_of(_MANAGED)
        | _of("TIME, SUBSCRIBE, PSUBSCRIBE, UNSUBSCRIBE, CLIENT, HELLO, MOVE, OBJECT, WAIT")
        | _of("BLPOP, BRPOP, BLMOVE, BLMPOP, BRPOPLPUSH, LMOVE, LMPOP"),
        one_slot=CROSSSLOT,
        source="Envoy: Redis (architecture overview), its supported commands",
    ),
    Profile("HAProxy", idle=3.0, source="HAProxy: Configuration Manual, timeout client and server"),
]
PROFILES = {profile.name: profile for profile in _ALL}

_USUAL = "other words,splits and idle,Tair with proxy"


def selected() -> list[Profile]:
    """Return the profiles of this run."""
    names = os.environ.get("PYREDISSON_PROFILES", _USUAL)
    if names == "all":
        return [profile for profile in _ALL if profile.supported]
    return [PROFILES[name.strip()] for name in names.split(",")]
