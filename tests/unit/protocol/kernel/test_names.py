"""Key names equal Redisson's, and slots equal those of a cluster."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from redis.crc import key_slot

from pyredisson import InvalidNameError
from pyredisson.protocol.kernel.names import (
    Claims,
    DirectNameMapper,
    NameMapper,
    QueueNames,
    alias_of,
    prefix_name,
    require_one_slot,
    slot,
)
from tests.support.rows import each_row

NAMES = st.text(st.sampled_from("{}ab:é€") | st.characters(exclude_categories=["Cs"]), max_size=12)


@each_row(
    ("name", "expected"),
    [
        ("orders", "p:{orders}"),
        ("app:{1}:q", "p:app:{1}:q"),
        ("{x}", "p:{x}"),
        ("a{b", "p:a{b"),
        ("a{}b", "p:a{}b"),
        ("a}b", "p:{a}b}"),
        ("", "p:{}"),
        ("größe", "p:{größe}"),
    ],
)
def test_only_an_opening_brace_keeps_the_braces_away(name: str, expected: str) -> None:
    assert prefix_name("p", name) == expected


def test_the_names_of_a_queue() -> None:
    assert QueueNames.of("orders") == QueueNames(
        name="orders",
        delay_list="redisson_delay_queue:{orders}",
        timeout_set="redisson_delay_queue_timeout:{orders}",
        channel="redisson_delay_queue_channel:{orders}",
        poison="pyredisson_poison:{orders}",
        dedup="pyredisson_dedup:{orders}",
        due="pyredisson_due:{orders}",
    )


def test_keys_are_all_names_that_scripts_pass() -> None:
    names = QueueNames.of("{x}q")
    assert names.keys() == (
        "{x}q",
        "redisson_delay_queue_timeout:{x}q",
        "redisson_delay_queue:{x}q",
        "redisson_delay_queue_channel:{x}q",
        "pyredisson_poison:{x}q",
        "pyredisson_dedup:{x}q",
        "pyredisson_due:{x}q",
    )


class Tagging:
    """A mapper that adds a hash tag."""

    def map(self, name: str, /) -> str:
        return f"{{app}}:{name}"

    def unmap(self, name: str, /) -> str:
        return name.removeprefix("{app}:")


def test_the_prefix_rule_sees_the_mapped_name() -> None:
    mapper: NameMapper = Tagging()
    assert QueueNames.of(mapper.map("q")).delay_list == "redisson_delay_queue:{app}:q"
    assert mapper.unmap(mapper.map("q")) == "q"


@given(NAMES)
def test_the_default_mapper_changes_nothing(name: str) -> None:
    mapper: NameMapper = DirectNameMapper()
    assert mapper.map(name) == name == mapper.unmap(name)


@settings(deadline=None, max_examples=300)
@given(NAMES)
def test_slots_are_those_of_redis_py(name: str) -> None:
    assert slot(name) == key_slot(name.encode())


@pytest.mark.parametrize(
    ("key", "expected"),
    # the cluster specification's own examples; 0x31C3 is CRC16("123456789")
    [
        ("123456789", 0x31C3),
        ("", 0),
        ("{user1000}.following", slot("user1000")),
        ("foo{}{bar}", 8363),
    ],
)
def test_known_slots(key: str, expected: int) -> None:
    assert slot(key) == expected


@settings(deadline=None)
@given(st.text(st.characters(exclude_characters="{}", exclude_categories=["Cs"]), min_size=1))
def test_a_name_without_braces_lives_in_one_slot(name: str) -> None:
    require_one_slot(QueueNames.of(name).keys())


@pytest.mark.parametrize("name", ["app:{1}:q", "{x}", "x{y}{z}", "{a}b}"])
def test_a_name_with_a_whole_tag_lives_in_one_slot(name: str) -> None:
    keys = QueueNames.of(name).keys()
    require_one_slot(keys)
    assert len({slot(key) for key in keys}) == 1


@pytest.mark.parametrize("name", ["a{}b", "a{b", "a}b", ""])
def test_a_name_that_a_cluster_would_spread_is_refused(name: str) -> None:
    keys = QueueNames.of(name).keys()
    with pytest.raises(InvalidNameError, match="in one slot") as caught:
        require_one_slot(keys)
    for key in keys:
        assert f"{key!r} in {slot(key)}" in str(caught.value)


def test_names_that_the_program_gave_need_the_same_tag() -> None:
    require_one_slot(["{a}1", "{a}2"], given=True)
    with pytest.raises(InvalidNameError, match=r"'\{tag\}'") as caught:
        require_one_slot(["a", "b"], given=True)
    assert f"'a' in {slot('a')}, 'b' in {slot('b')}" in str(caught.value)


@each_row(
    ("name", "twin"),
    [
        ("orders", "{orders}"),
        ("{orders}", "orders"),
        ("a}b", "{a}b}"),
        ("", "{}"),
        ("{}", ""),
        ("{a}b", None),
        ("{a}{b}", None),
        ("{{a}}", None),
        ("{", None),
        ("{a", None),
    ],
)
def test_names_with_the_same_companions(name: str, twin: str | None) -> None:
    assert alias_of(name) == twin


@given(NAMES, NAMES)
def test_no_other_names_have_the_same_companions(one: str, other: str) -> None:
    same = prefix_name("p", one) == prefix_name("p", other)
    assert same is (other in (one, alias_of(one)))
    twin = alias_of(one)
    if twin is not None:
        assert alias_of(twin) == one
        assert prefix_name("p", twin) == prefix_name("p", one)


def test_of_two_names_with_the_same_companions_the_second_is_refused() -> None:
    claims = Claims()
    for name in ("a", "{b}", "a", "{b}", "{a}c", "{a}{a}", "b}"):
        claims.claim(name)
    for name, other in (("{a}", "a"), ("b", "{b}"), ("{b}}", "b}")):
        with pytest.raises(InvalidNameError) as refused:
            claims.claim(name)
        assert repr(name) in str(refused.value)
        assert repr(other) in str(refused.value)


def test_number_of_remembered_names_is_bounded() -> None:
    claims = Claims()
    for number in range(3 * Claims.MAX_NAMES):
        claims.claim(f"q{number}")
        claims.claim("used all the time")
    assert len(claims._names) <= Claims.MAX_NAMES
    with pytest.raises(InvalidNameError):
        claims.claim("{used all the time}")
    claims.claim("{q0}")
