"""The operations of RQueue and RDeque, each in both languages.

Rule: ``why`` gives the reason where Python differs; a case without it must not differ.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from interop.peer.values import Java, built, sink
from interop.tests.support.expected import Expected
from pyredisson import End


@dataclass(frozen=True)
class QueueCase(Expected):
    """One call on the list ``q`` of the elements ``before``."""

    id: str
    before: str
    java: tuple[Any, ...]
    python: Callable[[Any], Any]
    others: dict[str, str] = field(default_factory=dict)
    """Other lists and their elements."""
    kinds: tuple[str, ...] = ()
    """The only kinds of handles that have it."""

    def __str__(self) -> str:
        return self.id


def to_other(source: str, target: str) -> Java:
    """Return the argument of ``move``."""
    return built("org.redisson.api.queue.DequeMoveArgs", (source,), (target, "other"))


PAGED = "Java sends LINDEX for each element and one more; ours reads pages of 500"
SEARCHED = "Java fetches the whole list into its script; ours lets the server search"
VOID = "Java's method returns nothing; ours the new length, as Java's with several values does"
SET_BEFOREHAND = (
    "Java's RENAME and COPY are plain; ours are one script for all objects, all or none"
)


def drained(queue: Any, *limit: int) -> tuple[int, list[str]]:
    """Return the result of drain_to, and the list that it filled."""
    into: list[str] = []
    return queue.drain_to(into, *limit), into


QUEUE = [
    QueueCase("add", "ABC", ("add", "x"), lambda q: q.add("x")),
    QueueCase("offer", "ABC", ("offer", "x"), lambda q: q.offer("x")),
    QueueCase("add_astral", "", ("add", "é😀"), lambda q: q.add("é😀")),
    QueueCase("add_empty_value", "", ("add", ""), lambda q: q.add("")),
    QueueCase("add_null", "A", ("add", None), lambda q: q.add(None)),
    QueueCase("addAll", "A", ("addAll", ["x", "y"]), lambda q: q.add_all(["x", "y"])),
    QueueCase("addAll_nothing", "A", ("addAll", []), lambda q: q.add_all([])),
    QueueCase("poll", "ABC", ("poll",), lambda q: q.poll()),
    QueueCase("poll_empty", "", ("poll",), lambda q: q.poll()),
    QueueCase("poll_0", "ABC", ("poll", 0), lambda q: q.poll(0)),
    QueueCase("poll_2", "ABC", ("poll", 2), lambda q: q.poll(2)),
    QueueCase("poll_more", "ABC", ("poll", 5), lambda q: q.poll(5)),
    QueueCase("remove_first", "ABC", ("remove",), lambda q: q.remove()),
    QueueCase("remove_first_empty", "", ("remove",), lambda q: q.remove()),
    QueueCase("peek", "ABC", ("peek",), lambda q: q.peek()),
    QueueCase("peek_empty", "", ("peek",), lambda q: q.peek()),
    QueueCase("element", "ABC", ("element",), lambda q: q.element()),
    QueueCase("element_empty", "", ("element",), lambda q: q.element()),
    QueueCase("size", "ABC", ("size",), len),
    QueueCase("isEmpty", "ABC", ("isEmpty",), lambda q: q.is_empty()),
    QueueCase("isEmpty_empty", "", ("isEmpty",), lambda q: q.is_empty()),
    QueueCase("readAll", "ABC", ("readAll",), lambda q: q.read_all()),
    QueueCase("remove", "BAB", ("remove", "B"), lambda q: q.remove("B")),
    QueueCase("remove_not", "ABC", ("remove", "N"), lambda q: q.remove("N")),
    QueueCase("removeAll", "ABAC", ("removeAll", ["A", "C"]), lambda q: q.remove_all("AC")),
    QueueCase("removeAll_not", "ABC", ("removeAll", ["N"]), lambda q: q.remove_all("N")),
    QueueCase("removeAll_nothing", "ABC", ("removeAll", []), lambda q: q.remove_all([])),
    QueueCase("retainAll", "ABCB", ("retainAll", ["A"]), lambda q: q.retain_all("A")),
    QueueCase("retainAll_all", "AB", ("retainAll", ["A", "B"]), lambda q: q.retain_all("AB")),
    QueueCase("retainAll_nothing", "ABC", ("retainAll", []), lambda q: q.retain_all([])),
    QueueCase(
        "pollLastAndOfferFirstTo",
        "ABC",
        ("pollLastAndOfferFirstTo", "other"),
        lambda q: q.poll_last_and_offer_first_to("other"),
        others={"other": "X"},
    ),
    QueueCase(
        "pollLastAndOfferFirstTo_empty",
        "",
        ("pollLastAndOfferFirstTo", "other"),
        lambda q: q.poll_last_and_offer_first_to("other"),
    ),
    QueueCase("clear", "ABC", ("clear",), lambda q: q.clear()),
    QueueCase("delete", "ABC", ("delete",), lambda q: q.delete()),
    QueueCase("delete_empty", "", ("delete",), lambda q: q.delete()),
    QueueCase("unlink", "ABC", ("unlink",), lambda q: q.unlink()),
    QueueCase("touch", "ABC", ("touch",), lambda q: q.touch()),
    QueueCase("isExists", "ABC", ("isExists",), lambda q: q.is_exists()),
    QueueCase("isExists_empty", "", ("isExists",), lambda q: q.is_exists()),
    QueueCase("sizeInMemory", "ABC", ("sizeInMemory",), lambda q: q.size_in_memory()),
    QueueCase(
        "getIdleTime",
        "ABC",
        ("getIdleTime",),
        lambda q: q.get_idle_time(),
        results_may_differ_by_a_second=True,
    ),
    QueueCase("expire", "A", ("expire", Java("duration", "PT100S")), lambda q: q.expire(100)),
    QueueCase(
        "expireAt",
        "A",
        ("expireAt", 4_102_444_800_000),
        lambda q: q.expire_at(datetime(2100, 1, 1, tzinfo=UTC)),
    ),
    QueueCase(
        "expireIfSet",
        "A",
        ("expireIfSet", Java("duration", "PT100S")),
        lambda q: q.expire(100, condition="XX"),
    ),
    QueueCase("clearExpire", "A", ("clearExpire",), lambda q: q.clear_expire()),
    QueueCase(
        "remainTimeToLive",
        "A",
        ("remainTimeToLive",),
        lambda q: q.remain_time_to_live(),
        why="None says what Java's -1 and -2 say",
        results_differ=(-1, None),
    ),
    QueueCase("move_database", "A", ("move", 1), lambda q: q.move_to_database(1)),
    QueueCase(
        "contains",
        "ABC",
        ("contains", "B"),
        lambda q: "B" in q,
        why=SEARCHED,
        java_commands=("lrange q 0 -1",),
        python_commands=("lpos q B",),
    ),
    QueueCase(
        "contains_not",
        "ABC",
        ("contains", "N"),
        lambda q: q.contains("N"),
        why=SEARCHED,
        java_commands=("lrange q 0 -1",),
        python_commands=("lpos q N",),
    ),
    QueueCase(
        "containsAll",
        "ABC",
        ("containsAll", ["A", "C", "A"]),
        lambda q: q.contains_all("ACA"),
        why=SEARCHED,
        java_commands=("lrange q 0 -1",),
        python_commands=("lpos q A", "lpos q C", "lpos q A"),
    ),
    QueueCase(
        "containsAll_not",
        "ABC",
        ("containsAll", ["N", "A"]),
        lambda q: q.contains_all("NA"),
        why=SEARCHED,
        java_commands=("lrange q 0 -1",),
        python_commands=("lpos q N",),
    ),
    QueueCase("containsAll_nothing", "A", ("containsAll", []), lambda q: q.contains_all([])),
    QueueCase(
        "indexOf",
        "ABB",
        ("indexOf", "B"),
        lambda q: q.index_of("B"),
        why=SEARCHED,
        java_commands=("lrange q 0 -1",),
        python_commands=("lpos q B",),
    ),
    QueueCase(
        "indexOf_not",
        "ABC",
        ("indexOf", "N"),
        lambda q: q.index_of("N"),
        why=SEARCHED,
        java_commands=("lrange q 0 -1",),
        python_commands=("lpos q N",),
    ),
    QueueCase(
        "iterator",
        "AB",
        ("iterator",),
        lambda q: list(iter(q)),
        why=PAGED,
        java_commands=("lindex q 0", "lindex q 1", "lindex q 2"),
        python_commands=("lrange q 0 499",),
    ),
    QueueCase(
        "rename",
        "AB",
        ("rename", "r"),
        lambda q: q.rename("r"),
        why=SET_BEFOREHAND,
        java_commands=("rename q r",),
        python_commands=("exists q", "exists q", "rename q r"),
    ),
    QueueCase(
        "renamenx_taken",
        "AB",
        ("renamenx", "r"),
        lambda q: q.renamenx("r"),
        why=SET_BEFOREHAND,
        java_commands=("renamenx q r",),
        python_commands=("exists q", "exists r"),
        others={"r": "X"},
    ),
    QueueCase(
        "copy",
        "AB",
        ("copy", "r"),
        lambda q: q.copy("r"),
        why=SET_BEFOREHAND,
        java_commands=("copy q r",),
        python_commands=("exists r", "copy q r"),
    ),
]
"""For every kind of handle."""

DEQUE = [
    QueueCase(
        "addFirst",
        "ABC",
        ("addFirst", "x"),
        lambda d: d.add_first("x"),
        why=VOID,
        results_differ=(None, 4),
    ),
    QueueCase(
        "addLast",
        "ABC",
        ("addLast", "x"),
        lambda d: d.add_last("x"),
        why=VOID,
        results_differ=(None, 4),
    ),
    QueueCase("addFirst_two", "A", ("addFirst", "x", "y"), lambda d: d.add_first("x", "y")),
    QueueCase("addLast_two", "A", ("addLast", "x", "y"), lambda d: d.add_last("x", "y")),
    QueueCase(
        "addFirstIfExists",
        "A",
        ("addFirstIfExists", "x", "y"),
        lambda d: d.add_first_if_exists("x", "y"),
    ),
    QueueCase(
        "addLastIfExists_empty",
        "",
        ("addLastIfExists", "x"),
        lambda d: d.add_last_if_exists("x"),
    ),
    QueueCase("offerFirst", "ABC", ("offerFirst", "x"), lambda d: d.offer_first("x")),
    QueueCase("offerLast", "ABC", ("offerLast", "x"), lambda d: d.offer_last("x")),
    QueueCase("push", "ABC", ("push", "x"), lambda d: d.push("x")),
    QueueCase("pop", "ABC", ("pop",), lambda d: d.pop()),
    QueueCase("pop_empty", "", ("pop",), lambda d: d.pop()),
    QueueCase("pollFirst", "ABC", ("pollFirst",), lambda d: d.poll_first()),
    QueueCase("pollLast", "ABC", ("pollLast",), lambda d: d.poll_last()),
    QueueCase("pollFirst_2", "ABC", ("pollFirst", 2), lambda d: d.poll_first(2)),
    QueueCase("pollLast_2", "ABC", ("pollLast", 2), lambda d: d.poll_last(2)),
    QueueCase("pollLast_more", "AB", ("pollLast", 3), lambda d: d.poll_last(3)),
    QueueCase("peekFirst", "ABC", ("peekFirst",), lambda d: d.peek_first()),
    QueueCase("getFirst", "ABC", ("getFirst",), lambda d: d.get_first()),
    QueueCase("getFirst_empty", "", ("getFirst",), lambda d: d.get_first()),
    QueueCase("removeFirst", "ABC", ("removeFirst",), lambda d: d.remove_first()),
    QueueCase("removeLast", "ABC", ("removeLast",), lambda d: d.remove_last()),
    QueueCase("removeLast_empty", "", ("removeLast",), lambda d: d.remove_last()),
    QueueCase(
        "removeFirstOccurrence",
        "BAB",
        ("removeFirstOccurrence", "B"),
        lambda d: d.remove_first_occurrence("B"),
    ),
    QueueCase(
        "removeLastOccurrence",
        "BAB",
        ("removeLastOccurrence", "B"),
        lambda d: d.remove_last_occurrence("B"),
    ),
    *(
        QueueCase(
            name,
            before,
            (name.partition("_")[0],),
            call,
            why="Java asks for a range of one element",
            java_commands=("lrange q -1 -1",),
            python_commands=("lindex q -1",),
        )
        for name, before, call in (
            ("peekLast", "ABC", lambda d: d.peek_last()),
            ("peekLast_empty", "", lambda d: d.peek_last()),
            ("getLast", "ABC", lambda d: d.get_last()),
            ("getLast_empty", "", lambda d: d.get_last()),
        )
    ),
    QueueCase(
        "descendingIterator",
        "AB",
        ("descendingIterator",),
        lambda d: list(d.descending_iterator()),
        why=PAGED,
        java_commands=(
            *("llen q", "llen q", "llen q", "lindex q 1"),
            *("llen q", "llen q", "lindex q 0", "llen q"),
        ),
        python_commands=("lrange q -500 -1",),
    ),
    QueueCase(
        "move_last_to_first",
        "ABC",
        ("move", to_other("pollLast", "addFirstTo")),
        lambda d: d.move("other", End.LAST, End.FIRST),
        why="the older name of the same move",
        java_commands=("lmove q other RIGHT LEFT",),
        python_commands=("rpoplpush q other",),
        others={"other": "X"},
    ),
    QueueCase(
        "move_first_to_last",
        "ABC",
        ("move", to_other("pollFirst", "addLastTo")),
        lambda d: d.move("other", End.FIRST, End.LAST),
        others={"other": "X"},
    ),
]
"""For deques."""

DRAINING = [
    QueueCase("drainTo", "ABC", ("drainTo", sink()), drained),
    QueueCase("drainTo_empty", "", ("drainTo", sink()), drained),
    QueueCase("drainTo_2", "ABC", ("drainTo", sink(), 2), lambda q: drained(q, 2)),
    QueueCase("drainTo_more", "ABC", ("drainTo", sink(), 9), lambda q: drained(q, 9)),
    QueueCase("drainTo_0", "ABC", ("drainTo", sink(), 0), lambda q: drained(q, 0)),
]
"""For blocking handles."""
