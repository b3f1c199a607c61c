"""RIdGenerator: its keys, scripts and blocks."""

from typing import Any

import pytest

from pyredisson import UncertainError
from pyredisson.protocol.counters.id_generator import IdGeneratorProtocol
from tests.unit.protocol.objects.encoding import words

G = IdGeneratorProtocol("g")


@pytest.mark.parametrize(
    ("name", "key"),
    [("g", "{g}:allocation"), ("{g}", "{g}:allocation"), ("a{g}", "a{g}:allocation")],
)
def test_the_key_of_the_size(name: str, key: str) -> None:
    assert IdGeneratorProtocol(name).keys == (name, key)


def test_the_words() -> None:
    assert words(G.try_init(-5, 10)) == ("counters/init_ids", G.keys, (-5, 10))
    assert words(G.allocate()) == ("counters/allocate_ids", G.keys, (5000,))


def test_value_of_each_reply() -> None:
    assert G.try_init(5, 10).decode(0) is False
    assert G.allocate().decode([b"9007199254740993", b"2"]) == range(2**53 + 1, 2**53 + 3)


def test_a_second_allocation_only_leaves_a_gap() -> None:
    assert G.allocate().safe
    first = G.try_init(5, 10)
    assert not first.safe
    assert first.lost is not None
    assert isinstance(first.lost(OSError("gone")), UncertainError)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ((1, 0), "allocation_size must be at least 1, not 0"),
        ((1, 2**63), "allocation_size must be from"),
        ((2**63, 1), "value must be from"),
    ],
)
def test_arguments_out_of_javas_range_are_rejected(arguments: tuple[Any, Any], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        G.try_init(*arguments)
