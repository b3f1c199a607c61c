"""RBuckets: the words of each call, and the value of each reply."""

import pytest

from pyredisson import DecodeError, UncertainError
from pyredisson.codecs import LongCodec, StringCodec
from pyredisson.protocol.buckets.buckets import BucketsProtocol
from pyredisson.protocol.kernel.names import by_slot

B: BucketsProtocol[str | None] = BucketsProtocol(StringCodec())  # type: ignore[arg-type]  # to try None


def test_words_and_replies() -> None:
    get, put, try_set = B.get(["a", "b"]), B.set({"a": "v", "b": "w"}), B.try_set({"a": "v"})
    assert (get.args, get.key, get.safe) == (("MGET", "a", "b"), "a", True)
    assert get.decode([b"v", None]) == {"a": "v"}
    assert (put.args, put.key) == (("MSET", "a", b"v", "b", b"w"), "a")
    assert put.decode(b"OK") is None
    assert (try_set.args, try_set.decode(0)) == (("MSETNX", "a", b"v"), False)
    for command in (put, try_set):
        assert not command.safe
        assert command.lost is not None
        assert isinstance(command.lost(OSError("gone")), UncertainError)


def test_values_that_cannot_be_stored_or_decoded() -> None:
    with pytest.raises(TypeError, match="the value of 'b' must not be None"):
        B.set({"a": "v", "b": None})
    with pytest.raises(DecodeError) as caught:
        BucketsProtocol(LongCodec()).get(["a", "b"]).decode([b"1", b"text"])
    assert caught.value.__notes__ == ["the value of 'b'"]
    assert caught.value.data == b"text"


def test_groups_of_keys() -> None:
    keys = ["{a}1", "b", "{a}2"]
    assert by_slot(keys, clustered=False) == [keys]
    assert by_slot(keys, clustered=True) == [["{a}1", "{a}2"], ["b"]]
    assert by_slot([], clustered=True) == []
    assert by_slot("abcde", clustered=False, together=2) == [["a", "b"], ["c", "d"], ["e"]]
    assert by_slot(["\udcff", "b"], clustered=True) == [["\udcff"], ["b"]], "it is no text"
