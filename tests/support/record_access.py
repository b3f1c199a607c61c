"""Records the ACL rights of each public method: `python -m tests.support.record_access`.

Each call of `acl_calls` runs under MONITOR, which shows its commands, keys and channels. Then the
call runs without each of these rights in turn: if it is rejected, the right is needed. The commands
of a script are those that it runs in all states of `tests/lua/test_refused.py`. Writes
`tests/vectors/rights.json` and the tables of docs/rights.md. Needs Redis 7.0.
"""

import json
import logging
import sys
from collections.abc import Iterable
from typing import Any

import redis

from pyredisson import Redisson
from pyredisson.codecs import StringCodec
from pyredisson.protocol.kernel.scripts import load, source
from tests._sync.link.acl_calls import Call, calls, made
from tests._sync.link.acl_objects import Given, seed
from tests.lua.test_refused import CASES, run
from tests.support.access import RECORDED, literals, write_page
from tests.support.monitor import Executed, Monitor
from tests.support.rights import FRESH
from tests.support.server import RedisServer
from tests.support.stored import store
from tests.unit.protocol.kernel.test_scripts import SCRIPTS

HASHES = {load(name).sha: name for name in SCRIPTS}
WITH_WORDS = {"client", "config", "memory", "pubsub", "script", "object"}
HIDDEN = {"+client|unblock"}
"""Rights of commands that MONITOR does not show."""
UNASKED = {"auth", "hello", "ping", "unsubscribe"}
"""Every user may authenticate; a listener sends PING and UNSUBSCRIBE at random times."""


def right(command: Executed) -> str:
    """Return the right to run a command."""
    name = command.name.lower()
    words = f"|{command.arguments[1].decode().lower()}" if name in WITH_WORDS else ""
    return f"+{name}{words}"


def keys(root: Any, command: Executed) -> list[str]:
    """Return the rights for the keys of a command."""
    try:
        found = root.command_getkeys(*command.arguments)
    except redis.ResponseError:  # the command has no keys
        return []
    return [f"~{key.decode() if isinstance(key, bytes) else key}" for key in found]


def reached(root: Any, commands: Iterable[Executed]) -> tuple[set[str], set[str]]:
    """Return all rights for these commands, and the scripts among them."""
    rights, scripts = set[str](), set[str]()
    for command in commands:
        name = command.name.lower()
        if name in UNASKED:
            continue
        rights.add(right(command))
        if command.name in ("EVALSHA", "EVAL"):
            rights |= {"+evalsha", "+eval"}
        if command.name == "EVALSHA":
            scripts.add(HASHES[command.arguments[1].decode()])
        if not command.by_script:
            rights.update(keys(root, command))
        if command.name in ("PUBLISH", "SUBSCRIBE"):
            rights.add(f"&{command.arguments[1].decode()}")
    return rights, scripts


class Bench:
    """A server, and a user whose rights change."""

    def __init__(self, server: RedisServer) -> None:
        self.server = server
        self.root: Any = server.client()

    def scripts(self) -> dict[str, list[str]]:
        """The commands of each script."""
        found = {name: set(literals(source(name))) for name in SCRIPTS}
        for case in CASES:
            store(self.root, case.stored)
            with Monitor(self.server) as monitor:
                assert not run(self.root, case)
            found[case.script] |= {right(each) for each in monitor.commands if each.by_script}
        return {name: sorted(words) for name, words in found.items()}

    def given(self, kind: str) -> Given:
        """Return the initial data for the calls of a kind."""
        with Redisson.from_url(self.server.url, codec=StringCodec()) as owner:
            return seed(owner, self.root, kind)

    def attempt(self, call: Call, given: Given, rights: Iterable[str]) -> str:
        """Make a call with some rights; return why it was rejected."""
        given.store(self.root)
        self.root.execute_command("ACL", "SETUSER", "few", *FRESH, *rights)
        return made(self.server, call, given, self.root)

    def measure(self, call: Call, given: Given) -> dict[str, list[str]]:
        """Return the rights that a call needs, and the others that it uses."""
        given.store(self.root)
        self.root.config_resetstat()
        self.root.execute_command("ACL", "SETUSER", "few", *FRESH, "~*", "&*", "+@all")
        with Monitor(self.server) as monitor:
            said = made(self.server, call, given, self.root)
        assert not said, f"{call}: {said}"
        ours = [each for each in monitor.commands if each.source not in self._root_s()]
        rights, scripts = reached(self.root, ours)
        rights |= HIDDEN & self._counted()
        if "sharded" in call.kind:  # the shard differs from call to call
            rights = {each for each in rights if each[0] == "+"} | {"~*", "&*"}
        needs = rights | {word for name in scripts for word in literals(load(name).text)}
        for each in sorted(needs):
            if not self.attempt(call, given, needs - {each}):
                needs.remove(each)
        assert not self.attempt(call, given, needs), call
        return {
            "needs": sorted(needs),
            "also": sorted(rights - needs),
            "scripts": sorted(scripts),
        }

    def _counted(self) -> set[str]:
        counted = self.root.info("commandstats")
        return {each.replace("cmdstat_", "+") for each in counted}

    def _root_s(self) -> set[str]:
        found = self.root.client_list()
        return {each["addr"] for each in found if each["user"] == "default"}


def main() -> None:
    """Record the rights of all calls."""
    logging.getLogger("pyredisson").propagate = False
    with RedisServer() as server:
        bench = Bench(server)
        recorded: dict[str, Any] = {"scripts": bench.scripts(), "calls": {}}
        kinds: dict[str, Given] = {}
        for call in calls():
            if call.kind not in kinds:
                kinds[call.kind] = bench.given(call.kind)
            row = recorded["calls"].setdefault(call.kind, {})
            row[call.label] = bench.measure(call, kinds[call.kind])
            sys.stderr.write(f"{call}\n")
    RECORDED.write_text(json.dumps(recorded, indent=1) + "\n", "utf-8")
    write_page()


if __name__ == "__main__":
    main()
