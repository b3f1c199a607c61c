"""Random operations on random delayed queues: same commands, keys and results in both languages.

``PYREDISSON_STATES`` sets how many (default 150); where it is set, they are drawn anew each time.
"""

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from interop.tests.conftest import Peers
from interop.tests.support.fleet import connect
from interop.tests.support.pair import RELEASES, Call, Case, Pair
from tests.support.server import RedisServer

STATES = int(os.environ.get("PYREDISSON_STATES", "150"))

one = st.sampled_from("ABCN")
some = st.lists(one, min_size=1, max_size=5)
count = st.integers(0, 8)


def operation(method: str, python: Callable[..., Any], *arguments: Any) -> tuple[Any, Call]:
    return (method, *arguments), lambda delayed: python(delayed, *arguments)


operations = st.one_of(
    one.map(lambda a: operation("contains", lambda d, v: d.contains(v), a)),
    one.map(lambda a: operation("remove", lambda d, v: d.remove(v), a)),
    some.map(lambda a: operation("containsAll", lambda d, v: d.contains_all(v), a)),
    some.map(lambda a: operation("removeAll", lambda d, v: d.remove_all(v), a)),
    some.map(lambda a: operation("retainAll", lambda d, v: d.retain_all(v), a)),
    count.map(lambda a: operation("poll", lambda d, n: d.poll(n), a)),
    st.just(operation("readAll", lambda d: d.read_all())),
    st.just(
        operation("pollLastAndOfferFirstTo", lambda d, t: d.poll_last_and_offer_first_to(t), "q")
    ),
)


@pytest.fixture(scope="module")
def pairs(java: Peers, shared_server: RedisServer) -> Iterator[dict[str, Pair]]:
    with (
        connect(java(RELEASES[0]), shared_server.url, codec="String") as first,
        connect(java(RELEASES[1]), shared_server.url, codec="String") as second,
    ):
        yield {
            release: Pair(shared_server, client, release)
            for release, client in zip(RELEASES, (first, second), strict=True)
        }


@settings(
    max_examples=STATES,
    deadline=None,
    derandomize="PYREDISSON_STATES" not in os.environ,
    suppress_health_check=[HealthCheck.too_slow],
    phases=[Phase.explicit, Phase.generate, Phase.shrink],
)
@given(
    release=st.sampled_from(RELEASES),
    pending=st.text("ABC", max_size=7),
    operation=operations,
)
def test_any_operation_on_any_state(
    release: str, pending: str, operation: tuple[Any, Call], pairs: dict[str, Pair]
) -> None:
    words, call = operation
    case = Case("", pending, words, call)
    java, python = pairs[release].java(case), pairs[release].python(case)
    assert python.result == java.result or _wrong_in_java(release, words)
    if words[0] != "retainAll":
        assert python.commands == java.commands or _wrong_in_java(release, words)
        assert python.keys == java.keys
        return
    # Java's commands, and the timeout set, which Java forgets.
    assert [each for each in python.commands if not each.startswith("zrem")] == java.commands
    assert python.keys.get("LIST") == java.keys.get("LIST")
    removed = [each.split()[3] for each in java.commands if each.startswith("lrem")]
    assert [each for each in python.commands if each.startswith("zrem")] == [
        f"zrem SET {entry}" for entry in removed
    ]


def _wrong_in_java(release: str, words: tuple[Any, ...]) -> bool:
    """Before 3.33.0 containsAll loses its place in its arguments when it finds one of them."""
    return release == "3.19.3" and words[0] == "containsAll" and len(words[1]) > 1
