"""Pauses as operations, and the replies that a consumer receives during a pause."""

from pyredisson.protocol.consumers.consumer import EXPIRING, PAUSED, ConsumerProtocol
from pyredisson.protocol.kernel.names import ConsumerNames
from pyredisson.protocol.queues.pause import pause, paused, resume

NAMES = ConsumerNames.of("q")
CONSUMER = ConsumerProtocol(NAMES)
KEYS = ("pyredisson_paused:{q}", "pyredisson_resumed:{q}")


def test_pause_and_resume_may_be_sent_twice() -> None:
    assert pause(NAMES).keys == resume(NAMES).keys == KEYS
    assert resume(NAMES).args == (1000,)
    assert pause(NAMES).safe
    assert resume(NAMES).safe
    assert pause(NAMES).decode(None) is None


def test_pause_is_looked_up() -> None:
    look = paused(NAMES)
    assert look.request() == ("EXISTS", KEYS[0])
    assert [look.decode(reply) for reply in (0, 1)] == [False, True]


def test_reply_of_a_paused_queue_differs_from_an_empty_one() -> None:
    take = CONSUMER.take(5, 30_000, bytes(14))
    assert KEYS[0] in take.keys
    assert take.decode(b"paused") is PAUSED
    assert take.decode([5]) == []
    assert take.decode([5]) is not PAUSED
    assert take.undo is not None
    assert take.undo(b"paused") is None


def test_take_is_repeated_with_the_script_for_expiring_items() -> None:
    take = CONSUMER.take(5, 30_000, bytes(14))
    again = CONSUMER.take(5, 30_000, bytes(14), expiring=True)
    assert take.decode(b"expiring") is EXPIRING
    assert take.undo is not None
    assert take.undo(b"expiring") is None
    assert (take.script.name, again.script.name) == ("consumers/take", "consumers/take_expiring")
    assert again.keys[:10] == take.keys[:10]
    assert CONSUMER.wait(5, 30_000, bytes(14), 1.5, expiring=True).script == again.script


def test_wait_for_the_end_of_a_pause_leaves_the_queue_alone() -> None:
    wait = CONSUMER.wait(5, 30_000, bytes(14), 1.5, paused=True)
    assert wait.ahead == ("BLMOVE", KEYS[1], KEYS[1], "LEFT", "RIGHT", "1.500")
    assert wait.args[-1] == 1
    assert CONSUMER.wait(5, 30_000, bytes(14), 1.5).args[-1] == 0
