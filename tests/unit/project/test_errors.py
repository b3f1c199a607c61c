"""Errors of pyredisson: base classes, attributes, messages, copies and pickles."""

from __future__ import annotations

import copy
import inspect
import pickle
import re
import sys

import pytest

import pyredisson
from pyredisson import Receipt, classfile, errors, server_errors
from pyredisson.errors import (
    BatchDecodeError,
    BloomFilterError,
    ClosedError,
    CodecError,
    DecodeError,
    EmptyQueueError,
    EncodeError,
    InvalidNameError,
    KeyTypeError,
    LockError,
    LockLostError,
    MessageTooLongError,
    NotNotifiedError,
    NotReleasedError,
    NotReplicatedError,
    OfferError,
    PartialOfferError,
    PermitLostError,
    QueueFullError,
    RateNotSetError,
    RedissonError,
    TimeLimitError,
    UncertainError,
    UncertainOfferError,
    WireFormatError,
    shorten,
)
from pyredisson.protocol.kernel.error_notes import note_not_quarantined, note_quarantined
from tests.support.rows import each_row

RECEIPT = Receipt("q", 5, bytes(8), b"v")
BAD = DecodeError("not text", codec="StringCodec", data=b"\xff", class_name="com.example.Order")

EXAMPLES: list[RedissonError] = [
    NotReleasedError({"q": 2}, [OSError("gone")]),
    RedissonError("any"),
    CodecError("any", codec="c", data=b"x"),
    EncodeError("any", codec="c"),
    MessageTooLongError("q", 11, 10, "c"),
    BAD,
    BatchDecodeError(["a"], [BAD, WireFormatError(b"junk")]),
    WireFormatError(b"junk"),
    InvalidNameError("any"),
    KeyTypeError("q", "list", "hash"),
    EmptyQueueError("any"),
    ClosedError("any"),
    BloomFilterError("any"),
    RateNotSetError("limit"),
    LockError("any"),
    LockLostError("job"),
    PermitLostError("pool", "00" * 16),
    QueueFullError("q", 11, 10),
    TimeLimitError("any"),
    UncertainError("a publish", "news", OSError("reset")),
    OfferError("any", RECEIPT),
    UncertainOfferError("q", OSError("reset"), RECEIPT),
    NotNotifiedError("channel", "NOPERM", RECEIPT),
    NotReplicatedError("stored", "0 of 1", "do nothing", receipts=[RECEIPT], results=[True]),
    PartialOfferError(
        "q", OSError("reset"), count=1, stored={0: RECEIPT}, unstored={2: RECEIPT}, unknown={}
    ),
]

each_example = pytest.mark.parametrize("error", EXAMPLES, ids=lambda error: type(error).__name__)


@each_row(
    ("error", "bases"),
    [
        (RedissonError, {Exception}),
        (CodecError, {RedissonError, ValueError}),
        (EncodeError, {CodecError}),
        (MessageTooLongError, {EncodeError}),
        (DecodeError, {CodecError}),
        (BatchDecodeError, {DecodeError}),
        (WireFormatError, {RedissonError, ValueError}),
        (InvalidNameError, {RedissonError, ValueError}),
        (KeyTypeError, {RedissonError, TypeError}),
        (LockError, {RedissonError, RuntimeError}),
        (LockLostError, {LockError}),
        (PermitLostError, {RedissonError, RuntimeError}),
        (EmptyQueueError, {RedissonError, LookupError}),
        (ClosedError, {RedissonError, RuntimeError}),
        (QueueFullError, {RedissonError, RuntimeError}),
        (BloomFilterError, {RedissonError, RuntimeError}),
        (RateNotSetError, {RedissonError, RuntimeError}),
        (TimeLimitError, {RedissonError, TimeoutError}),
        (UncertainError, {RedissonError, ConnectionError}),
        (OfferError, {RedissonError}),
        (UncertainOfferError, {OfferError, ConnectionError}),
        (NotNotifiedError, {OfferError}),
        (NotReplicatedError, {RedissonError}),
        (PartialOfferError, {RedissonError}),
    ],
)
def test_the_tree(error: type[Exception], bases: set[type]) -> None:
    assert set(error.__bases__) == bases


def test_every_error_is_exported_tested_and_drawn() -> None:
    defined = {
        name
        for name, value in vars(errors).items()
        if inspect.isclass(value) and issubclass(value, Exception)
    }
    assert defined == set(errors.__all__) == {type(error).__name__ for error in EXAMPLES}
    assert defined <= set(pyredisson.__all__)
    for name in defined:
        assert name in (errors.__doc__ or "")
        assert getattr(pyredisson, name) is getattr(errors, name)


@each_example
def test_an_error_survives_pickle_and_copy(error: RedissonError) -> None:
    """Process pools and task queues send errors to another process."""
    for other in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(other) is type(error)
        assert (str(other), other.args) == (str(error), error.args)
        assert set(vars(other)) == set(vars(error))
        for name, value in vars(error).items():
            kept = getattr(other, name)
            assert kept == value or repr(kept) == repr(value)


@each_example
def test_a_message_is_one_argument(error: RedissonError) -> None:
    assert error.args == (str(error),)


def test_a_decode_error_carries_codec_class_and_bytes() -> None:
    assert (BAD.codec, BAD.data, BAD.class_name) == ("StringCodec", b"\xff", "com.example.Order")
    assert str(BAD) == (
        "StringCodec: not text; the bytes: ff (1 bytes); "
        "they look like FstCodec (Redisson's default from 3.10.0 to 3.12.5)"
    )
    assert str(DecodeError("x", codec="c", data=b"\x80")) == "c: x; the bytes: 80 (1 bytes)"
    assert "look like" not in str(DecodeError("x", codec="FstCodec", data=b"\xff"))
    assert "look like" not in str(DecodeError("x", codec="JsonJackson3Codec", data=b'{"@class":1}'))
    assert DecodeError("x", codec="c", data=b"").class_name is None


def test_an_error_says_where_its_bytes_are() -> None:
    for error in (DecodeError("x", codec="c", data=b"\x80"), WireFormatError(b"\x80")):
        assert (error.raw, error.kept_in) == (b"\x80", None)
        before = str(error)
        note_not_quarantined(error, "list", OSError("reset"))
        assert error.kept_in is None
        assert str(error).startswith(f"{before}; keeping it in the list 'list' failed (reset): ")
        note_quarantined(error, "list")
        assert error.kept_in == "list"
        assert str(error).endswith("; kept in the list 'list'")
        again = pickle.loads(pickle.dumps(error))
        assert (str(again), again.raw, again.kept_in) == (str(error), b"\x80", "list")


def test_an_encode_error_has_no_bytes() -> None:
    assert EncodeError("x", codec="c").data == b""


def test_several_errors_in_one() -> None:
    error = BatchDecodeError(("a", "b"), (BAD,))
    assert (error.values, error.errors) == (["a", "b"], [BAD])
    assert (error.codec, error.data, error.class_name) == (BAD.codec, BAD.data, BAD.class_name)
    assert "1 of 3 values could not be decoded" in str(error)
    assert str(BAD) in str(error)


def test_batch_error_that_begins_with_a_wire_format_error() -> None:
    error = BatchDecodeError([], [WireFormatError(b"junk"), BAD])
    assert (error.codec, error.data, error.class_name) == ("wire format", b"junk", None)
    assert "2 of 2 values" in str(error)


def test_a_key_of_another_type_is_named() -> None:
    error = KeyTypeError("q", "list", "hash")
    assert (error.key, error.expected, error.found) == ("q", "list", "hash")
    assert "key 'q' should hold a list but holds a hash" in str(error)


def test_an_uncertain_offer_says_what_to_do() -> None:
    error = UncertainOfferError("q", OSError("reset"), RECEIPT)
    assert error.receipt is RECEIPT
    assert error.errno is None
    for words in ("'q'", "reset", "may be stored or not", "offer_again(error.receipt)"):
        assert words in str(error)


def test_a_refused_notification_says_what_to_grant() -> None:
    error = NotNotifiedError("ch", "NOPERM this user", RECEIPT)
    assert error.receipt is RECEIPT
    assert error.receipts == [RECEIPT]
    for words in ("the item is stored", "'ch'", "NOPERM this user", "&ch +publish"):
        assert words in str(error)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", " (0 bytes)"),
        (b"\0\xff", "00ff (2 bytes)"),
        (b"a" * 48, f"{'61' * 48} (48 bytes)"),
        (b"a" * 49, f"{'61' * 48}… (49 bytes)"),
    ],
)
def test_bytes_are_shown_shortened(data: bytes, expected: str) -> None:
    assert shorten(data) == expected


def _tree(text: str | None, root: str, parent: str) -> dict[str, tuple[str, str | None]]:
    """Return the parent and the builtin base of each error in a drawn tree."""
    assert text is not None
    found: dict[str, tuple[str, str | None]] = {}
    above: list[str] = []
    for line in text.splitlines():
        if match := re.match(r"    ([│ ├└─]*)(\w+)(?:\((\w+)\))?(?: |$)", line):
            indent, name, builtin = match.groups()
            if not indent and name != root:
                continue
            if indent.strip() in ("", "│") and indent:
                continue  # continues the text of the line before
            above[len(indent) // 4 :] = [name]
            found[name] = above[-2] if indent else parent, builtin
    return found


def test_the_tree_is_that_of_the_classes() -> None:
    """Each error is drawn under its base class, with its builtin base in brackets."""
    found = _tree(errors.__doc__, "RedissonError", "Exception")
    found |= _tree(server_errors.__doc__, "ServerError", "RedissonError")
    classes: dict[str, tuple[str, str | None]] = {}

    def walk(kind: type[Exception], parent: str) -> None:
        builtins = [base.__name__ for base in kind.__bases__ if base.__module__ == "builtins"]
        classes[kind.__name__] = parent, builtins[0] if builtins else None
        for each in kind.__subclasses__():
            home = sys.modules[each.__module__]
            if "._" not in each.__module__ and getattr(home, each.__name__, None) is each:
                walk(each, kind.__name__)

    assert classfile.ClassFileError.__name__ in found  # of another package
    walk(RedissonError, "Exception")
    assert found == classes
