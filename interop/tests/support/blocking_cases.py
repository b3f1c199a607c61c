"""The operations of RBlockingQueue and RBlockingDeque that may wait, each in both languages.

The commands differ in one thing only. Java sends whole seconds, rounded (and 0 for "for ever", also
where it was a timeout of 0). Python sends the remaining seconds, in slices of at most 2. Rule: each
case lists both, with Java's number.
"""

from typing import Any

from interop.peer.values import Java
from interop.tests.support.queue_cases import QueueCase, to_other
from pyredisson import End

SLICED = "whole seconds in Java; ours waits in slices of the time that is left"
FOR_EVER = "0 is for ever in Java; ours waits in slices that a dead connection cannot outlast"


def waiting(
    name: str, before: str, java: tuple[Any, ...], python: Any, commands: str, **other: Any
) -> QueueCase:
    """Return a case whose commands differ only in the timeout, which is ``{}`` in ``commands``."""
    words, _, seconds = commands.partition("=")
    return QueueCase(
        name,
        before,
        java,
        python,
        why=FOR_EVER if seconds == "0" else SLICED,
        java_commands=(words.format(seconds),),
        python_commands=(words.format("<seconds>"),),
        **other,
    )


SECOND = Java("duration", "PT1S")
OTHERS = {"q2": "YZ", "q3": "W"}
DROPPED = "Java forgets the other names, in deques only (up to 4.7.0)"

BLOCKING = [
    QueueCase("put", "ABC", ("put", "x"), lambda q: q.put("x")),
    QueueCase("remainingCapacity", "A", ("remainingCapacity",), lambda q: q.remaining_capacity()),
    waiting("take", "ABC", ("take",), lambda q: q.take(), "blpop q {}=0"),
    waiting("poll_2s", "ABC", ("poll", 2, "SECONDS"), lambda q: q.poll(timeout=2), "blpop q {}=2"),
    waiting(
        "poll_1500ms",
        "ABC",
        ("poll", 1500, "MILLISECONDS"),
        lambda q: q.poll(timeout=1.5),
        "blpop q {}=1",
    ),
    waiting(
        "poll_300ms",
        "ABC",
        ("poll", 300, "MILLISECONDS"),
        lambda q: q.poll(timeout=0.3),
        "blpop q {}=1",
    ),
    waiting("poll_0", "ABC", ("poll", 0, "SECONDS"), lambda q: q.poll(timeout=0), "blpop q {}=0"),
    waiting(
        "poll_1s_empty", "", ("poll", 1, "SECONDS"), lambda q: q.poll(timeout=1), "blpop q {}=1"
    ),
    QueueCase(
        "poll_negative",
        "ABC",
        ("poll", -1, "SECONDS"),
        lambda q: q.poll(timeout=-1),
        why="Java does not even look; ours takes what is there without waiting, as java.util's do",
        java_commands=(),
        python_commands=("blpop q <seconds>",),
        results_differ=(None, "A"),
        keys_differ=True,
    ),
    waiting(
        "takeLastAndOfferFirstTo",
        "ABC",
        ("takeLastAndOfferFirstTo", "other"),
        lambda q: q.take_last_and_offer_first_to("other"),
        "brpoplpush q other {}=0",
    ),
    waiting(
        "pollLastAndOfferFirstTo_2s",
        "ABC",
        ("pollLastAndOfferFirstTo", "other", 2, "SECONDS"),
        lambda q: q.poll_last_and_offer_first_to("other", 2),
        "brpoplpush q other {}=2",
    ),
    waiting(
        "pollFromAny",
        "ABC",
        ("pollFromAny", 1, "SECONDS", "q2", "q3"),
        lambda q: q.poll_from_any(1, "q2", "q3"),
        "blpop q q2 q3 {}=1",
        others=OTHERS,
        kinds=("blocking_queue",),
    ),
    waiting(
        "pollFromAny_other",
        "",
        ("pollFromAny", 1, "SECONDS", "q2", "q3"),
        lambda q: q.poll_from_any(1, "q2", "q3"),
        "blpop q q2 q3 {}=1",
        others=OTHERS,
        kinds=("blocking_queue",),
    ),
    QueueCase(
        "pollFromAny_other",
        "",
        ("pollFromAny", 1, "SECONDS", "q2", "q3"),
        lambda q: q.poll_from_any(1, "q2", "q3"),
        why=DROPPED,
        java_commands=("blpop q 1",),
        python_commands=("blpop q q2 q3 <seconds>",),
        results_differ=(None, "Y"),
        keys_differ=True,
        others=OTHERS,
        kinds=("blocking_deque",),
    ),
    waiting(
        "pollFromAnyWithName",
        "",
        ("pollFromAnyWithName", SECOND, "q3", "q2"),
        lambda q: q.poll_from_any_with_name(1, "q3", "q2"),
        "blpop q q3 q2 {}=1",
        others=OTHERS,
    ),
    waiting(
        "pollLastFromAnyWithName",
        "",
        ("pollLastFromAnyWithName", SECOND, "q2", "q3"),
        lambda q: q.poll_last_from_any_with_name(1, "q2", "q3"),
        "brpop q q2 q3 {}=1",
        others=OTHERS,
    ),
    waiting(
        "pollFirstFromAny",
        "",
        ("pollFirstFromAny", SECOND, 2, "q2", "q3"),
        lambda q: q.poll_first_from_any(1, "q2", "q3", count=2),
        "blmpop {} 3 q q2 q3 LEFT COUNT 2=1",
        others=OTHERS,
    ),
    waiting(
        "pollLastFromAny",
        "ABC",
        ("pollLastFromAny", SECOND, 2, "q2", "q3"),
        lambda q: q.poll_last_from_any(1, "q2", "q3", count=2),
        "blmpop {} 3 q q2 q3 RIGHT COUNT 2=1",
        others=OTHERS,
    ),
    waiting(
        "pollFirstFromAny_empty",
        "",
        ("pollFirstFromAny", SECOND, 2, "q2"),
        lambda q: q.poll_first_from_any(1, "q2", count=2),
        "blmpop {} 2 q q2 LEFT COUNT 2=1",
        results_differ=(None, {}),
    ),
]
"""For blocking queues and deques."""

BLOCKING_DEQUE = [
    QueueCase("putFirst", "ABC", ("putFirst", "x"), lambda d: d.put_first("x")),
    QueueCase("putLast", "ABC", ("putLast", "x"), lambda d: d.put_last("x")),
    waiting("takeFirst", "ABC", ("takeFirst",), lambda d: d.take_first(), "blpop q {}=0"),
    waiting("takeLast", "ABC", ("takeLast",), lambda d: d.take_last(), "brpop q {}=0"),
    waiting(
        "pollFirst_2s",
        "ABC",
        ("pollFirst", 2, "SECONDS"),
        lambda d: d.poll_first(timeout=2),
        "blpop q {}=2",
    ),
    waiting(
        "pollLast_2s",
        "ABC",
        ("pollLast", 2, "SECONDS"),
        lambda d: d.poll_last(timeout=2),
        "brpop q {}=2",
    ),
    waiting(
        "move_2s",
        "ABC",
        ("move", Java("duration", "PT2S"), to_other("pollFirst", "addLastTo")),
        lambda d: d.move("other", End.FIRST, End.LAST, timeout=2),
        "blmove q other LEFT RIGHT {}=2",
    ),
]
"""For blocking deques."""
