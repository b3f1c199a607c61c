"""Notes that are added to an error before the caller receives it."""

from pyredisson.errors import DecodeError
from pyredisson.protocol.kernel.error_notes import note_not_quarantined, note_quarantined

POISON = "pyredisson_poison:{q}"


def an_error() -> DecodeError:
    return DecodeError("not an order", codec="StringCodec", data=b"\x01")


def test_note_names_the_list_that_has_the_bytes() -> None:
    error = an_error()
    note_quarantined(error, POISON)
    assert str(error) == f"{an_error()}; kept in the list '{POISON}'"
    assert error.kept_in == POISON


def test_bytes_that_could_not_be_kept() -> None:
    error = an_error()
    note_not_quarantined(error, POISON, OSError("no route"))
    failed = f"{an_error()}; keeping it in the list '{POISON}' failed (no route): "
    assert str(error) == f"{failed}Redis may no longer have it, so save its bytes, error.raw"
    assert error.kept_in is None
