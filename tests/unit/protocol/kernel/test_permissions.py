"""The text of a denied command names the command, the keys and the right."""

from typing import Any

import pytest

from pyredisson.codecs import StringCodec
from pyredisson.protocol.consumers.consumer import ConsumerProtocol
from pyredisson.protocol.dead_letters.dead_letters import DeadProtocol
from pyredisson.protocol.kernel.command import Operation
from pyredisson.protocol.kernel.names import ConsumerNames
from pyredisson.protocol.kernel.permissions import explain_missing, keys_of
from pyredisson.protocol.objects.expirable import ExpirableProtocol
from pyredisson.protocol.queues.blocking_queue import BlockingProtocol
from pyredisson.protocol.queues.queue import End, QueueProtocol
from tests.support.rows import each_row

B = BlockingProtocol("q", StringCodec(), quarantines=False)
Q = QueueProtocol("q", StringCodec())
K = ExpirableProtocol(("a", "b"))
N = ConsumerNames.of("q")
C = ConsumerProtocol(N)
NO_KEYS = (
    "No permissions to access a key",
    "this user has no permissions to access one of the keys used as arguments",
)


@each_row(
    ("operation", "keys"),
    [
        (Q.size(), ("q",)),
        (Q.move("r", End.LAST, End.FIRST), ("q", "r")),
        (Q.move("r", End.FIRST, End.FIRST), ("q", "r")),
        (B.pop_any(("q", "r"), End.LAST, 1), ("q", "r")),
        (B.pop_many_any(("q", "r"), End.FIRST, 5, 1), ("q", "r")),
        (B.check_many_any("q", End.FIRST, 5), ("q",)),
        (B.move("r", (End.LAST, End.FIRST), 1), ("q", "r")),
        (B.move("r", (End.FIRST, End.FIRST), 1), ("q", "r")),
        (B.there(End.FIRST, 1), ("q",)),
        (K.delete(), ("a", "b")),
        (K.exists(), ("a", "b")),
        (K.touch(), ("a", "b")),
        (K.unlink(), ("a", "b")),
        (K.idle_seconds(), ("a",)),
        (K.migrate("host", 1, 0, 5), ("a", "b")),
        (K.persist(), ("a", "b")),
        (C.ack([b"t"]), (N.leases, N.taken)),
    ],
)
def test_the_keys_of_an_operation(operation: Operation[Any], keys: tuple[str, ...]) -> None:
    assert keys_of(operation) == keys


@pytest.mark.parametrize("text", NO_KEYS)
def test_a_key_that_is_refused(text: str) -> None:
    dead = DeadProtocol(N, StringCodec())
    assert explain_missing(text, dead.size()) == f"{text} (ZCARD, which needs ~{N.dead})"
    assert (
        explain_missing(text, C.ack([b"t"]))
        == f"{text} (EVALSHA, which needs ~{N.leases} ~{N.taken})"
    )


def test_a_wait_names_both_commands_and_all_keys() -> None:
    wait = C.wait(1, 5, bytes(14), 1.0, paused=True)
    said = explain_missing(NO_KEYS[0], wait)
    assert f"(BLMOVE and EVALSHA, which needs ~{N.resumed} ~q " in said
    assert said.endswith(f"~{N.expiring} ~{N.consumers})")


@pytest.mark.parametrize("text", ["User u has no permissions to run the 'client|id' command", "x"])
def test_a_command_that_is_refused(text: str) -> None:
    right = "" if text == "x" else " (CLIENT|ID q, which needs +client|id)"
    assert explain_missing(text, Q.size()) == text + right


def test_text_that_names_the_right_stays_unchanged() -> None:
    text = "User u has no permissions to run the 'lrem' command (LREM q, which needs +lrem)"
    assert explain_missing(text, Q.size()) == text
