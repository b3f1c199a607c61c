"""Pages of sorted sets and lists that other clients change between two pages."""

from itertools import count
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyredisson.codecs import LongCodec
from pyredisson.protocol.collections.set import SetProtocol
from pyredisson.protocol.kernel.command import Command
from pyredisson.protocol.kernel.scripts import source
from pyredisson.protocol.objects import pages
from pyredisson.protocol.objects.collection import PAGE
from pyredisson.protocol.objects.pages import (
    ENOUGH,
    FIRST,
    START,
    ListWalk,
    PageSize,
    in_parts,
    later,
    with_bytes,
)
from pyredisson.protocol.queues.queue import QueueProtocol
from tests.support.rows import each_row


def test_elements_after_a_place_of_a_page() -> None:
    page = [(b"b", b"5"), (b"d", b"5"), (b"a", b"10", "more")]
    assert later(page, (b"c", b"5")) == page[1:]
    assert later(page, (b"d", b"5")) == page[2:]
    assert later(page, START) == page


def test_elements_with_their_bytes() -> None:
    command = with_bytes(QueueProtocol("q", LongCodec()).range(0, 9))
    assert command.args == ("LRANGE", "q", 0, 9)
    assert command.decode([b"7", b"08"]) == [(b"7", 7), (b"08", 8)]


def test_scripts_and_commands_have_one_limit() -> None:
    assert f"local ENOUGH = {ENOUGH}\n" in source("kernel/_steps")


SHORT, LONG = b"s" * 100, b"l" * 1_000_000


@each_row(
    ("read", "counts"),
    [
        ([[SHORT] * 16, [SHORT] * 128, [SHORT] * PAGE], [16, 128, PAGE, PAGE]),
        ([[LONG] * 16, [LONG], [LONG]], [16, 1, 1, 1]),
        ([[LONG] * 16, [SHORT], [SHORT] * 8], [16, 1, 8, 64]),
        ([[b"m" * 100_000] * 16, [b"m" * 100_000] * 5], [16, 5, 5]),
        ([[b"m" * 2_000] * 16, [b"m" * 2_000] * 128], [16, 128, 262]),
        ([[SHORT] * 15 + [LONG]], [16, 8]),
        ([[b""] * 16], [16, 128]),
        ([[], {b"k": 1}], [16, 128, PAGE]),  # a scan without a match
        (
            [[SHORT] * 16, [SHORT] * 128, [LONG]],
            [16, 128, PAGE, 262],
        ),  # a scan with few matches
    ],
)
def test_the_size_of_the_next_page(read: list[Any], counts: list[int]) -> None:
    pages = PageSize(FIRST)
    found = [pages.count]
    for page in read:
        pages.note(page)
        found.append(pages.count)
    assert found == counts


def test_a_scan_whose_reply_is_noted() -> None:
    sizes = PageSize(FIRST)
    scan = sizes.noted(SetProtocol("s", LongCodec()).scan(None, 0, sizes.count))
    assert isinstance(scan, Command)
    assert scan.args == ("SSCAN", "s", 0, "COUNT", 16)
    assert scan.decode([b"7", [b"1", b"2"]]) == (7, [1, 2])
    assert sizes.count == 128


def test_a_page_of_two_at_least() -> None:
    pages = PageSize(FIRST, least=2)
    pages.note([LONG] * 16)
    assert pages.count == 2


def numbered(*numbers: int) -> list[bytes]:
    return [b"%d" % number for number in numbers]


@each_row(
    ("known", "page", "most", "common"),
    [
        ([1, 2, 3], [2, 3, 4], 2, 2),
        ([1, 2, 3], [3, 4, 5], 2, 1),
        ([1, 2, 3], [4, 5, 6], 2, 0),
        ([1, 2, 3], [1, 3, 4], 2, 2),  # 2 was removed
        ([1, 2, 3], [1, 2, 4], 3, 2),  # 3 was removed
        ([1, 2, 3], [1, 4, 5], 2, 1),  # 2 and 3 were removed
        ([1, 2, 3], [1, 2, 3], 2, 2),  # one was added in front, so the page repeats known ones
        ([1, 1, 1], [1, 1, 1], 2, 2),
        ([2, 1, 2], [1, 2, 2], 2, 2),
        ([1, 2], [], 2, 0),
        ([], [1, 2], 2, 0),
    ],
)
def test_number_of_known_elements_in_a_page(
    known: list[int], page: list[int], most: int, common: int
) -> None:
    assert pages._common(known, page, most) == common


def test_walk_goes_back_further_each_time() -> None:
    walk = ListWalk()
    for first in range(0, 20 * (PAGE - PAGE // 10), PAGE - PAGE // 10):
        assert walk.start == first
        assert walk.new(numbered(*range(first, first + PAGE))) == (PAGE // 10 if first else 0)
    starts = []
    while walk.new(numbered(*range(100_000, 100_000 + PAGE))) is None:
        walk.go_back(size=10_000)
        starts.append(walk.start)
    assert starts == [8500, 7500, 5500, 1500, 0]
    assert walk.start == PAGE - PAGE // 10


Change = tuple[str, int, int]
"""A change between two pages: its kind, its place, and its number of elements."""


@st.composite
def changes(draw: st.DrawFn) -> list[Change]:
    kinds = st.sampled_from(["remove", "append"])
    return draw(st.lists(st.tuples(kinds, st.integers(0, 60), st.integers(0, 40)), max_size=12))


def long(number: int) -> bytes:
    """Return an element whose length depends on its number."""
    return b"%d " % number + bytes(number * 7 % 5 * 40)


@given(st.integers(0, 60), changes(), st.sampled_from([10, 100, 300, 10_000]))
def test_remaining_elements_are_returned_once(
    length: int, between: list[Change], enough: int
) -> None:
    """Elements are removed anywhere and appended. Remaining ones are returned, in their order."""
    fresh = count(length)
    there, came = [*range(length)], list[int]()
    stays, rest = {*there}, [*between]
    with patch.multiple(pages, ENOUGH=enough, PAGE=25, _REMEMBERED=1000):
        walk, sizes = ListWalk(), PageSize(FIRST, least=2)
        for _ in range(1000):
            size = sizes.count
            page = there[walk.start : walk.start + size]
            known = walk.new([*map(long, page)])
            sizes.note([*map(long, page)])
            if known is None:
                walk.go_back(len(there))
                continue
            came += page[known:]
            if len(page) < size:
                break
            kind, place, many = rest.pop() if rest else ("remove", 0, 0)
            if kind == "append":
                there += [next(fresh) for _ in range(many)]
            else:
                stays -= {*there[place : place + many]}
                del there[place : place + many]
        else:
            pytest.fail("it does not end")
    assert stays <= {*came}
    assert came == sorted({*came})


def test_list_that_changes_faster_than_it_is_read() -> None:
    walk, fresh, came = ListWalk(), count(), 0
    for _ in range(100):
        page = numbered(*(next(fresh) for _ in range(PAGE if walk.start < 2_000 else 0)))
        known = walk.new(page)
        if known is None:
            walk.go_back(2_000)
            continue
        came += len(page) - known
        if len(page) < PAGE:
            break
    else:
        pytest.fail("it does not end")
    assert 2_000 <= came <= 5_000


def test_parts_are_short_work() -> None:
    def parts(*sizes: int) -> list[list[int]]:
        return [*in_parts(sizes, lambda size: size, 3)]

    assert parts() == []
    assert parts(1, 2, 3, 4) == [[1, 2, 3], [4]]
    assert parts(ENOUGH, ENOUGH + 1, 1) == [[ENOUGH], [ENOUGH + 1], [1]]
    assert parts(ENOUGH - 1, 1, 9, 9) == [[ENOUGH - 1, 1], [9, 9]]
