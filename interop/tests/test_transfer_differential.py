"""Java's transfer script, taken from the wire, and pyredisson's: same states, results, replies.

``PYREDISSON_STATES`` sets how many random states are drawn (default 500); where it is set, they are
drawn anew each time.
"""

import os
import random
import struct
from collections.abc import Callable, Iterator

import pytest
import redis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from interop.tests.conftest import Peers
from interop.tests.support.fleet import connect
from interop.tests.support.state import Item, lay, read
from interop.tests.support.transfer import (
    SCRIPT,
    Sent,
    Transfer,
    java_transfer,
    our_transfer,
    sent_by_java,
)
from pyredisson import WireFormat
from pyredisson.protocol.delayed.item_id import new_item_id
from pyredisson.protocol.kernel.scripts import load
from tests.support.server import RedisServer
from tests.support.thresholds import small_transfer

STATES = int(os.environ.get("PYREDISSON_STATES", "500"))
FORMATS = {"4.7.0": WireFormat.CURRENT, "3.19.3": WireFormat.LEGACY}
NOW = 1000

# Lengths of other layouts, so that a value may look like an entry's second half.
_TRICKY = st.builds(
    lambda number, tail: struct.pack("<Q", number) + tail,
    st.integers(0, 20),
    st.binary(max_size=12),
)
values = st.one_of(
    st.sampled_from([b"", b"a", b"\0", b"\0" * 8, b"\0" * 20]),
    st.binary(max_size=40),
    _TRICKY,
    st.binary(min_size=250, max_size=260),
)
# Few different ones, so that some are equal; some are due, some are not, some are huge.
scores = st.one_of(
    st.integers(NOW - 3, NOW + 3), st.integers(0, 2 * NOW), st.sampled_from([0, 2**53, 10**17])
)
identities = st.one_of(
    st.binary(min_size=8, max_size=8),
    # First bytes that the other format reads as id lengths.
    st.tuples(st.sampled_from([0, 7, 8, 16, 24]), st.binary(min_size=7, max_size=7)).map(
        lambda pair: bytes([pair[0]]) + pair[1]
    ),
)


def items(wire_format: WireFormat) -> st.SearchStrategy[list[Item]]:
    """Pending items of one format, each entry once, and what interrupted clients leave behind."""
    one = st.builds(
        Item,
        value=values,
        due=scores,
        item_id=identities,
        wire_format=st.just(wire_format),
        copies=st.sampled_from([1, 1, 1, 1, 0, 2]),
        timed=st.sampled_from([True, True, True, True, False]),
    )
    entries = one.filter(lambda item: not looks_new(item))
    return st.lists(entries, max_size=12, unique_by=lambda item: item.entry)


def looks_new(item: Item) -> bool:
    """Return whether an old entry is also a new one, of another value; it is read as new."""
    old = item.wire_format is WireFormat.LEGACY
    return old and item.item_id[0] == 8 and item.value == b"\0"


states = st.tuples(
    st.sampled_from(list(FORMATS)).flatmap(lambda r: st.tuples(st.just(r), items(FORMATS[r]))),
    st.lists(st.sampled_from([b"x", b""]), max_size=3),
    st.lists(st.tuples(st.integers(NOW - 3, NOW + 3), st.integers(1, 5)), min_size=1, max_size=5),
)
State = tuple[tuple[str, list[Item]], list[bytes], list[tuple[int, int]]]


@pytest.fixture(scope="module")
def sent(java: Peers, shared_server: RedisServer) -> dict[str, Sent]:
    """Return the script that Java sent, by release."""
    found = {}
    for release in FORMATS:
        with connect(java(release), shared_server.url, codec="String") as client:
            found[release] = sent_by_java(shared_server, client, "captured")
    return found


@pytest.fixture(scope="module")
def transfers(
    sent: dict[str, Sent], shared_server: RedisServer
) -> Iterator[Callable[[str], tuple[redis.Redis, Transfer]]]:
    with redis.Redis(port=shared_server.port) as raw:
        raw.flushall()
        made = {release: java_transfer(script) for release, script in sent.items()}
        yield lambda release: (raw, made[release])


@pytest.mark.parametrize("release", FORMATS)
@pytest.mark.parametrize("cached", [True, False])
def test_java_sends_its_script_by_either_way(
    release: str, cached: bool, java: Peers, server: RedisServer, sent: dict[str, Sent]
) -> None:
    with connect(java(release), server.url, codec="String", use_script_cache=cached) as client:
        script = sent_by_java(server, client, "q")
    assert script.text == sent[release].text
    assert script.keys == (b"q", b"redisson_delay_queue_timeout:{q}", b"redisson_delay_queue:{q}")
    assert script.arguments[1] == b"100"


@settings(
    max_examples=STATES,
    deadline=None,
    derandomize="PYREDISSON_STATES" not in os.environ,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    phases=[Phase.explicit, Phase.generate, Phase.shrink],
)
@given(state=states, text=st.sampled_from([load(SCRIPT).text, small_transfer()]))
def test_same_state_same_end_same_reply(
    state: State, text: str, transfers: Callable[[str], tuple[redis.Redis, Transfer]]
) -> None:
    (release, pending), target, calls = state
    raw, java_script = transfers(release)
    java, python = lay(raw, "java", pending, target), lay(raw, "python", pending, target)
    for now, limit in calls:
        reply = java_script(raw, "java", now, limit)
        assert our_transfer(raw, "python", now, limit, text) == reply
        assert read(raw, python) == read(raw, java)


def test_ids_with_times_in_a_list_of_any_order(
    transfers: Callable[[str], tuple[redis.Redis, Transfer]],
) -> None:
    """In an ordered list entries are found by their time, elsewhere by a search."""
    raw, java_script = transfers("4.7.0")
    draw = random.Random(1)
    for disorder in (0, 3, 400):
        pending = [
            Item(b"%d" % at, draw.randint(0, 2 * NOW), new_item_id(10**15 + at, draw.randbytes(8)))
            for at in range(400)
        ]
        pending.sort(key=lambda item: int(item.value) + draw.randint(0, disorder))
        java, python = lay(raw, "java", pending), lay(raw, "python", pending)
        for now in range(0, 2 * NOW + 1, 100):
            reply = java_script(raw, "java", now, 100)
            assert our_transfer(raw, "python", now, 100, small_transfer()) == reply
            assert read(raw, python) == read(raw, java)


def test_the_one_old_member_that_is_also_a_new_one(
    transfers: Callable[[str], tuple[redis.Redis, Transfer]],
) -> None:
    raw, java_script = transfers("3.19.3")
    item = Item(b"\0", NOW, b"\x08" + b"x" * 7, WireFormat.LEGACY)
    assert looks_new(item)
    names = lay(raw, "q", [item])
    java_script(raw, "q", NOW, 1)
    assert read(raw, names)["target"].value == (b"\0",)
    lay(raw, "q", [item])
    our_transfer(raw, "q", NOW, 1)
    assert read(raw, names)["target"].value == (b"",)


@pytest.mark.parametrize("release", FORMATS)
def test_more_than_one_batch(
    release: str, transfers: Callable[[str], tuple[redis.Redis, Transfer]]
) -> None:
    raw, java_script = transfers(release)
    pending = [
        Item(b"%d" % i, NOW - i % 7, struct.pack("<q", i * 7919), FORMATS[release])
        for i in range(250)
    ]
    java, python = lay(raw, "java", pending), lay(raw, "python", pending)
    for left in (150, 50, 0):
        assert our_transfer(raw, "python", NOW, 100) == java_script(raw, "java", NOW, 100)
        assert read(raw, python) == read(raw, java)
        assert raw.zcard(python.timeout_set) == left


@pytest.mark.parametrize("release", FORMATS)
def test_item_due_before_1970_stops_only_java(
    release: str, transfers: Callable[[str], tuple[redis.Redis, Transfer]]
) -> None:
    """Releases before 3.10.4 took negative delays. Java then asks without end for this one item."""
    raw, java_script = transfers(release)
    pending = [Item(b"a", -5, b"12345678", FORMATS[release])]
    java, python = lay(raw, "java", pending), lay(raw, "python", pending)
    assert java_script(raw, "java", NOW, 100) == b"-5"
    assert read(raw, java)["target"].value == b""
    assert our_transfer(raw, "python", NOW, 100) is None
    assert read(raw, python)["target"].value == (b"a",)


@pytest.mark.parametrize("release", FORMATS)
def test_a_target_of_another_type_loses_nothing_in_either(
    release: str, transfers: Callable[[str], tuple[redis.Redis, Transfer]]
) -> None:
    raw, java_script = transfers(release)
    pending = [Item(b"%d" % i, NOW, struct.pack("<q", i), FORMATS[release]) for i in range(3)]
    for name, transfer in (("java", java_script), ("python", our_transfer)):
        names = lay(raw, name, pending)
        before = read(raw, names)
        raw.set(name, "no list")
        with pytest.raises(redis.ResponseError, match="WRONGTYPE"):
            transfer(raw, name, NOW, 100)
        after = read(raw, names)
        assert (after["list"], after["set"]) == (before["list"], before["set"])


FOREIGN = {"4.7.0": WireFormat.LEGACY, "3.19.3": WireFormat.CURRENT}


@pytest.mark.parametrize("release", FORMATS)
def test_foreign_entry_stops_java_and_not_python(
    release: str, transfers: Callable[[str], tuple[redis.Redis, Transfer]]
) -> None:
    """Java delivers the items before it again with every try, and none behind it."""
    raw, java_script = transfers(release)
    pending = [
        Item(value, NOW - 5 + place, b"id%d@@@@@" % place, wire_format)
        for place, (value, wire_format) in enumerate(
            [
                (b"a", FORMATS[release]),
                (b"foreign", FOREIGN[release]),
                (b"b", FORMATS[release]),
            ]
        )
    ]
    java = lay(raw, "java", pending)
    for tries in (1, 2, 3):
        with pytest.raises(redis.ResponseError, match="unpack"):
            java_script(raw, "java", NOW, 100)
        assert read(raw, java)["target"].value == (b"a",) * tries
    assert raw.zcard(java.timeout_set) == 3
    python = lay(raw, "python", pending)
    assert our_transfer(raw, "python", NOW, 100) is None
    assert read(raw, python)["target"].value == (b"a", b"foreign", b"b")
    assert read(raw, python)["set"].type == "none"
    assert read(raw, python)["poison"].type == "none"


@pytest.mark.parametrize("release", FORMATS)
def test_poison_in_the_middle_is_put_aside(
    release: str, transfers: Callable[[str], tuple[redis.Redis, Transfer]]
) -> None:
    raw, java_script = transfers(release)
    pending = [Item(b"%d" % i, NOW - 5 + i, b"id%d@@@@@" % i, FORMATS[release]) for i in (0, 2)]
    poison = {b"poison": NOW - 4}
    java, python = lay(raw, "java", pending), lay(raw, "python", pending)
    for names in (java, python):
        raw.zadd(names.timeout_set, poison)
        raw.rpush(names.delay_list, b"poison")
    with pytest.raises(redis.ResponseError):
        java_script(raw, "java", NOW, 100)
    assert our_transfer(raw, "python", NOW, 100) == [None, 1, 2]
    found = read(raw, python)
    assert (found["target"].value, found["poison"].value) == ((b"0", b"2"), (b"poison",))
    assert (found["set"].type, found["list"].type) == ("none", "none")
    # The queue on which Java is stuck is repaired the same way; items that Java delivered twice
    # stay so.
    assert our_transfer(raw, "java", NOW, 100) == [None, 1, 2]
    assert read(raw, java)["target"].value == (b"0", b"0", b"2")
    assert java_script(raw, "java", NOW, 100) is None
