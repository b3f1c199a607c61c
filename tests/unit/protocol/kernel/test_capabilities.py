"""Commands that a server refuses: how errors are recognized and explained, and when to retry."""

import re
from pathlib import Path

import pytest

from pyredisson.codecs import StringCodec
from pyredisson.protocol.consumers.consumer import ConsumerProtocol
from pyredisson.protocol.kernel import capabilities
from pyredisson.protocol.kernel.capabilities import (
    AGAIN,
    CONSEQUENCES,
    LONG,
    LOUD,
    Capabilities,
    blocking_word,
    explained,
    is_denied,
    is_of_command,
    is_of_script,
    is_out_of_date,
    perhaps_too_long,
    version_of,
)
from pyredisson.protocol.kernel.command import Command, Eval, Operation
from pyredisson.protocol.kernel.names import ConsumerNames
from pyredisson.protocol.kernel.replies import nothing
from pyredisson.protocol.kernel.scripts import load
from pyredisson.protocol.queues.blocking_queue import BlockingProtocol
from pyredisson.protocol.queues.queue import End, QueueProtocol
from tests.support.rows import each_row

ROOMS = Path(capabilities.__file__).parents[1]
SCRIPTS = [each for each in ROOMS.glob("*/lua/*.lua") if not each.name.startswith("_")]
CONSUMER = ConsumerProtocol(ConsumerNames.of("q"))
TAKE = CONSUMER.take(1, 1000, b"x" * 14)
WAIT = CONSUMER.wait(1, 1000, b"x" * 14, 2)
DRAIN = QueueProtocol("q", StringCodec()).drain(None)
BLMPOP = BlockingProtocol("q", StringCodec()).pop_many(End.FIRST, 3, 2)
COPY = Command(("COPY", "q", "r"), nothing, "q")
OLD = "Wrong number of args calling Redis command From Lua script (LPOP q)"
UNKNOWN = "Unknown Redis command called from script"


@each_row(
    ("text", "of_command", "of_script"),
    [
        ("unknown command 'TIME', with args beginning with: ", True, False),
        ("Command is not available: 'TIME'", True, False),
        ("NOPERM this user has no permissions", True, False),
        ("DENIED by the gateway", True, False),
        ("unknown command 'X', with args beginning with: 'timeout' 'upstream'", True, False),
        ("upstream failure", False, False),
        ("ERR Connection timed out", False, False),
        ("BUSY Redis is busy running a script", False, False),
        ("MISCONF Redis is configured to save RDB snapshots", False, False),
        ("WRONGTYPE Operation against a key (ZADD q)", False, True),
        ("@user_script: 49: no", True, True),
        (f"{UNKNOWN} (TIME of the server)", True, True),
        ("no; not undone: no", True, True),
    ],
)
def test_error_is_of_a_command_or_of_a_script(text: str, of_command: bool, of_script: bool) -> None:
    assert is_of_command(text) is of_command
    assert is_of_script(text) is of_script


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("NOPERM this user has no right to run the 'publish' command", True),
        ("ERR The user executing the script can't publish to the channel", True),
        ("ERR ACL failure in script: no", True),
        ("ERR Unknown Redis command called from script", False),
    ],
)
def test_which_errors_are_of_an_acl(text: str, denied: bool) -> None:
    assert is_denied(text) is denied


@each_row(
    ("text", "old"),
    [
        ("unknown command `BLMOVE`, with args beginning with: ", True),
        (OLD, True),
        ("wrong number of arguments for 'lpop' command", True),
        ("syntax error", True),
        ("value is not an integer or out of range", False),
    ],
)
def test_which_errors_are_of_an_old_server(text: str, old: bool) -> None:
    assert is_out_of_date(text) is old


@pytest.mark.parametrize(
    ("info", "version"),
    [
        (b"# Server\r\nredis_version:6.0.16\r\nredis_git_sha1:0\r\n", "6.0.16"),
        (b"redis_version:255\r\n", "255"),
        (b"# Server\r\n", None),
        (None, None),
    ],
)
def test_the_version_is_read(info: bytes | None, version: str | None) -> None:
    assert version_of(info) == version


def test_the_command_that_waits() -> None:
    assert blocking_word(WAIT) == "BLMOVE"
    assert blocking_word(BLMPOP) == "BLMPOP"


@each_row(
    ("operation", "text", "version", "told"),
    [
        (TAKE, OLD, "6.0.16", "LPOP for consumers and workers of 'q' needs Redis 6.2 or newer; "),
        (BLMPOP, "unknown command", "6.2.14", "BLMPOP of 'q' needs Redis 7.0 or newer; this is "),
        (COPY, "unknown command", "6.0", "COPY of 'q' needs Redis 6.2 or newer; this is 6.0: "),
        (COPY, "unknown command", "7.0.15", "unknown command"),
        (COPY, "unknown command", None, "unknown command"),
        (COPY, "no such key", "6.0", "no such key"),
        (DRAIN, "unsupported (DEL q)", None, "DEL for queues of 'q' is not available on this "),
        (DRAIN, "no memory (DEL q)", None, "no memory (DEL q)"),
        (
            *(TAKE, f"{UNKNOWN} (TIME of the server)", "7.0.15"),
            "TIME for consumers and workers of 'q' is not available on this server, whose clock ",
        ),
    ],
)
def test_explanation_of_an_error(
    operation: Operation[object], text: str, version: str | None, told: str
) -> None:
    said = explained(text, operation, version)
    assert said.startswith(told)
    assert said.endswith(text)


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("bad lua script for redis cluster, all the keys", "script_check_enable to 0"),
        ("attempt to index global 'struct' (a nil value)", "EmbeddedServer"),
        ("attempted to access nonexistent global variable 'struct'", "EmbeddedServer"),
        ("Keys in request don't hash to the same slot", "one queue at a time.*RedisCluster"),
    ],
)
def test_an_error_says_what_to_do(text: str, remedy: str) -> None:
    said = explained(text, COPY, None)
    assert said.startswith(f"{text} ('q': ")
    assert re.search(remedy, said)


def test_a_value_that_is_too_long() -> None:
    """The server names no length and no limit, so the error names the length and the setting."""
    add = QueueProtocol("q", StringCodec()).push(End.LAST, ["x" * LONG])
    said = explained("Protocol error: invalid bulk length", add, None)
    assert said.startswith("Protocol error: invalid bulk length ('q': an argument of 1048576 bytes")
    assert "proto-max-bulk-len" in said
    assert "max_bytes=" in said


def test_a_lost_reply_of_a_long_request() -> None:
    queue = QueueProtocol("q", StringCodec())
    said = perhaps_too_long(queue.push(End.LAST, ["x" * LONG]))
    assert "an argument has 1048576 bytes" in said
    assert "max_bytes=" in said
    assert perhaps_too_long(queue.push(End.LAST, ["x" * (LONG - 1)])) == ""


@each_row("name", sorted(f"{each.parts[-3]}/{each.stem}" for each in SCRIPTS))
def test_every_script_is_for_something(name: str) -> None:
    script = Eval(load(name), ("q",), (), nothing)
    assert re.match(
        r"HGET for [\w ,]+ of 'q' is not", explained("unsupported (HGET q)", script, None)
    )


def test_refused_command_is_tried_again_after_a_while() -> None:
    table = Capabilities()
    assert not table
    assert "TIME" not in table
    assert not table.lacks("TIME", 1.0)
    assert table.granted("TIME", 1.0) is None
    assert table.refused("TIME", 2.0)
    assert table
    assert "TIME" in table
    assert table.lacks("TIME", 1.9 + AGAIN)
    assert not table.lacks("TIME", 2.0 + AGAIN)
    assert not table.refused("TIME", 2.0 + AGAIN)
    assert table.lacks("TIME", 2.0 + AGAIN)
    assert table.granted("TIME", 7.0 + 2 * AGAIN) == 5.0 + 2 * AGAIN
    assert not table.lacks("TIME", 7.0 + 2 * AGAIN)
    assert not table


def test_each_loud_command_has_a_consequence() -> None:
    assert set(CONSEQUENCES) > LOUD
