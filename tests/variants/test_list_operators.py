"""Operators of a list, which only lists of the synchronous client have."""

import pytest
import redis

from pyredisson import AsyncList, Redisson
from pyredisson.codecs import StringCodec


def test_list_has_the_operators_of_a_python_list(url: str, raw: redis.Redis) -> None:
    with Redisson.from_url(url) as redisson:
        found = redisson.get_list("l", StringCodec())
        found.add_all("abcde")
        plain = list("abcde")
        assert (found[0], found[-1], len(found), "c" in found) == ("a", "e", 5, True)
        for first in (None, 0, 2, -2, -9, 9):
            for end in (None, 0, 1, 3, -1, -9, 9):
                assert found[first:end] == plain[first:end], (first, end)
        found[1] = "B"
        del found[0]
        assert raw.lrange("l", 0, -1) == [b"B", b"c", b"d", b"e"]
        assert list(found) == list("Bcde")
        for index in (4, -5):
            with pytest.raises(IndexError):
                found[index]
            with pytest.raises(IndexError):
                found[index] = "x"
            with pytest.raises(IndexError):
                del found[index]
        with pytest.raises(ValueError, match="no step, got -1"):
            found[::-1]


@pytest.mark.parametrize("name", ["__getitem__", "__len__", "__contains__", "__setitem__"])
def test_async_list_has_no_operators(name: str) -> None:
    """Operators could not await."""
    assert not hasattr(AsyncList, name)
