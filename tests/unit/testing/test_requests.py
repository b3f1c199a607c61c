"""The proxy in front of a test server: requests that it passes on or changes."""

import hashlib
import re

import pytest

from pyredisson.protocol.kernel.scripts import load
from pyredisson.testing._proxy import Requests, Scripts, packed
from tests.support.rows import each_row
from tests.unit.protocol.kernel.test_scripts import SCRIPTS

PLAIN = [
    packed([b"GET", b"key"]),
    packed([b"SET", b"key", b"PXAT\r\n*1\r\n"]),
    packed([b"SET", b"key", b"value", b"PX", b"100"]),
    packed([b"EVALSHA", b"0" * 40, b"0"]),
    packed([b"SCRIPT", b"FLUSH"]),
    packed([b"EVAL"]),
    packed([b"SCRIPT"]),
    packed([b"X" * 100_000, b""]),
    packed([]),
    b"PING\r\n",
    b"\r\n",
]


def words_of(request: bytes) -> list[bytes]:
    """Return the words of one request."""
    count, _, rest = request.partition(b"\r\n")
    found = []
    while rest:
        length, _, rest = rest.partition(b"\r\n")
        size = int(length[1:])
        found.append(rest[:size])
        rest = rest[size + 2 :]
    assert count == b"*%d" % len(found)
    return found


def test_other_requests_are_passed_on_as_they_are() -> None:
    assert Requests(Scripts()).feed(b"".join(PLAIN)) == b"".join(PLAIN)


@pytest.mark.parametrize("step", [1, 2, 3, 7])
def test_requests_may_come_in_parts(step: int) -> None:
    """The forwarded bytes do not depend on the parts in which a request arrived."""
    sent = b"".join(each for each in PLAIN if len(each) < 1000)
    sent += packed([b"eval", b"return redis.call('time')", b"0"]) + packed([b"TIME"])
    requests = Requests(Scripts())
    parts = [requests.feed(sent[at : at + step]) for at in range(0, len(sent), step)]
    assert b"".join(parts) == Requests(Scripts()).feed(sent)


@each_row(
    "words",
    [
        [b"TIME"],
        [b"pexpireat", b"key", b"1"],
        [b"EXPIRETIME", b"key"],
        [b"SET", b"key", b"value", b"NX", b"exat", b"1"],
        [b"GETEX", b"key", b"PXAT", b"1"],
    ],
)
def test_a_command_with_a_moment_becomes_a_script(words: list[bytes]) -> None:
    name, script, count, *arguments = words_of(Requests(Scripts()).feed(packed(words)))
    assert (name, count, arguments) == (b"EVAL", b"0", words)
    assert script.endswith(b"return redis.pcall(unpack(ARGV))")


def test_scripts_are_known_by_the_hash_that_the_client_computes() -> None:
    script = b"#!lua flags=no-writes\nreturn 1"
    sha = hashlib.sha1(script).hexdigest().encode()
    requests = Requests(Scripts())
    load_it, whole = words_of(requests.feed(packed([b"SCRIPT", b"LOAD", script])))[1:]
    first, _, rest = whole.partition(b"\n")
    assert (load_it, first) == (b"LOAD", b"#!lua flags=no-writes")
    assert rest.endswith(b" return 1")
    known = hashlib.sha1(whole).hexdigest().encode()
    assert words_of(requests.feed(packed([b"EVALSHA", sha.upper(), b"0", b"x"]))) == [
        *(b"EVALSHA", known, b"0", b"x")
    ]
    assert words_of(requests.feed(packed([b"SCRIPT", b"EXISTS", sha, b"f" * 40]))) == [
        *(b"SCRIPT", b"EXISTS", known, b"f" * 40)
    ]


TIMED = re.compile(
    r"""['"](time|h?p?expire(?:at|time)|getex|hgetex|hsetex|hp?ttl|absttl|xautoclaim|xclaim|idle
    |object|lastsave|role|debug|client|info)['"]""",
    re.IGNORECASE | re.VERBOSE,
)


@each_row("name", SCRIPTS)
def test_all_times_that_scripts_read_are_moved(name: str) -> None:
    """Add a command with moments or idle times to `clock.lua` before a script uses it."""
    moved = {"time", "pexpireat", "expireat", "pexpiretime", "expiretime", "getex"}
    assert {each.lower() for each in TIMED.findall(load(name).text)} <= moved
