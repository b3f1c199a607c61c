"""An operation is a value: words to send, a decoder, and the meaning of a lost reply."""

from __future__ import annotations

import dataclasses

import pytest

from pyredisson.protocol.kernel.command import Command, Eval
from pyredisson.protocol.kernel.replies import number
from pyredisson.protocol.kernel.scripts import Script

SCRIPT = Script("two", "return 2\n", "0123")


def test_command_is_sent_as_it_is_and_has_no_fallback() -> None:
    command = Command(("LLEN", "q"), number, "q")
    assert command.request() == ("LLEN", "q")
    assert command.fallback() is None
    assert command.decode(3) == 3


def test_a_script_is_called_by_its_hash_and_then_by_its_text() -> None:
    call = Eval(SCRIPT, ("k1", "k2"), (b"a", 1, "b"), number)
    assert call.request() == ("EVALSHA", "0123", 2, "k1", "k2", b"a", 1, "b")
    assert call.fallback() == ("EVAL", "return 2\n", 2, "k1", "k2", b"a", 1, "b")


def test_the_first_key_decides_the_node() -> None:
    assert Eval(SCRIPT, ("k1", "k2"), (), number).key == "k1"
    assert Command(("OBJECT", "IDLETIME", "q"), number, "q").key == "q"


@pytest.mark.parametrize(
    "operation", [Command(("DEL", "q"), number, "q"), Eval(SCRIPT, ("q",), (), number)]
)
def test_nothing_is_sent_twice_unless_it_says_so(operation: Command[int] | Eval[int]) -> None:
    assert not operation.safe
    assert operation.undo is None
    assert operation.lost is None


def test_an_operation_cannot_be_changed() -> None:
    command = Command(("LLEN", "q"), number, "q")
    with pytest.raises(dataclasses.FrozenInstanceError):
        command.key = "other"  # type: ignore[misc]  # refused by types, too
