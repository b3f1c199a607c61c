"""Operators of a dict, which only maps of the synchronous client have."""

import pytest
import redis

from pyredisson import AsyncMap, Map, Redisson
from pyredisson.codecs import StringCodec


def test_map_has_the_operators_of_a_dict(url: str, raw: redis.Redis) -> None:
    with Redisson.from_url(url) as redisson:
        found: Map[str, str] = redisson.get_map("m", StringCodec())
        found["a"] = "1"
        found["b"] = "2"
        assert (found["a"], len(found), "a" in found, "c" in found) == ("1", 2, True, False)
        assert sorted(found) == ["a", "b"]
        assert dict(found) == dict(found.items()) == {"a": "1", "b": "2"}
        del found["a"]
        assert raw.hgetall("m") == {b"b": b"2"}
        with pytest.raises(KeyError, match="'a'"):
            found["a"]
        with pytest.raises(KeyError, match="'a'"):
            del found["a"]


@pytest.mark.parametrize("name", ["__getitem__", "__len__", "__contains__", "__setitem__"])
def test_async_map_has_no_operators(name: str) -> None:
    """Operators could not await."""
    assert not hasattr(AsyncMap, name)
