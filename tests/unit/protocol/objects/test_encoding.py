"""Bounds on the size of stored values: valid bounds, and values beyond a bound."""

from typing import Any

import pytest

from pyredisson import MessageTooLongError
from pyredisson.codecs import StringCodec
from pyredisson.protocol.delayed.delayed_queue import DelayedQueueProtocol
from pyredisson.protocol.kernel.names import QueueNames
from pyredisson.protocol.objects.encoding import encoder, require_bound
from pyredisson.protocol.queues.queue import End, QueueProtocol
from tests.support.rows import each_row


def test_without_a_limit_it_is_the_codec_itself() -> None:
    codec = StringCodec()
    assert encoder(codec, "q", None) == codec.encode
    assert DelayedQueueProtocol(QueueNames.of("q"), codec).encode == codec.encode


def test_bytes_are_counted_and_the_limit_is_allowed() -> None:
    encode = encoder(StringCodec(), "q", 4)
    assert encode("éé") == "éé".encode()
    with pytest.raises(MessageTooLongError) as caught:
        encode("ééa")
    error = caught.value
    assert (error.key, error.length, error.limit, error.codec) == ("q", 5, 4, "StringCodec")
    assert "'q' is 5 bytes long, more than max_bytes=4" in str(error)
    assert "raise max_bytes" in str(error)


def test_only_stored_values_are_limited() -> None:
    queue = QueueProtocol("q", StringCodec(), max_bytes=1)
    with pytest.raises(MessageTooLongError):
        queue.push(End.LAST, ["a", "bb"])
    assert queue.remove("bb", 1).args[-1] == queue.position("bb").args[-1] == b"bb"


@each_row(
    ("bound", "error", "text"),
    [
        (True, TypeError, "max_bytes must be a whole number or None, not True"),
        (1.5, TypeError, "not 1.5"),
        ("9", TypeError, "not '9'"),
        (0, ValueError, "max_bytes must be at least 1, not 0; None means no bound"),
        (-1, ValueError, "not -1"),
    ],
)
def test_invalid_bounds_are_rejected(bound: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        require_bound(bound, "max_bytes")


def test_valid_bounds_are_returned() -> None:
    assert (require_bound(None, "x"), require_bound(1, "x")) == (None, 1)
