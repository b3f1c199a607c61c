"""Release numbers are parsed in one place."""

from __future__ import annotations

from typing import Any

import pytest

from pyredisson.releases import FLOOR, NEWEST, OLDEST, parse_release, parse_service
from tests.support.rows import each_row


def test_a_release_is_three_numbers() -> None:
    assert parse_release("3.27.2") == (3, 27, 2)
    assert parse_release("3.9.1") < parse_release("3.10.0")  # as numbers, not as texts
    assert parse_release(OLDEST) < parse_release(FLOOR) < parse_release(NEWEST)


@each_row(
    "text",
    ["", "4.7", "v4.7.0", "4.7.0-SNAPSHOT", "4.7.0\n", "4.7.x", "٤.7.0", "4.7.00000", "-3.2.1"],
)
def test_other_texts_are_rejected(text: str) -> None:
    with pytest.raises(ValueError, match=r"not a Redisson release such as '4\.7\.0'"):
        parse_release(text)


@each_row("wrong", [3.27, None, 4, b"4.7.0", (4, 7, 0)])
def test_release_that_is_no_str_is_rejected(wrong: Any) -> None:
    with pytest.raises(TypeError, match=r'release must be .* a str, such as "3\.27\.2", got '):
        parse_release(wrong)


def test_services_without_these_queues() -> None:
    assert parse_service("3.2.0") == (3, 2, 0)
    assert parse_service("9.0.0") == (9, 0, 0)  # newer than all known ones
    with pytest.raises(ValueError, match=r"delayed queues are supported from 3\.2\.0 on"):
        parse_service("3.1.0")
