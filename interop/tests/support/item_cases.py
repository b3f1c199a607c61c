"""The operations of RDelayedQueue on its items, each in both languages.

Rule: ``why`` gives the reason where Python differs; a case without it must not differ.
"""

from datetime import timedelta

from interop.peer.values import equal_to
from interop.tests.support.pair import Case

HOUR = 3_600_000

PAGED = "Java sends a script for each element and one more; ours reads pages of 500"
OUTRUN = (
    "Java counts one removal where LREM removes two, runs past the end of the list and fails "
    "there, after the same commands"
)
EMPTYING = (
    "llen LIST",
    *(
        line
        for value in "ABC"
        for line in ("lindex LIST 0", f"zrem SET <{value}>", f"lrem LIST 0 <{value}>")
    ),
)

OUTRUN = (
    "Java counts one removal where LREM removes two, runs past the end of the list and fails "
    "there, after the same commands"
)

OFFERING = [
    Case("offer", "", ("offer", "x", HOUR, "MILLISECONDS"), lambda d: d.offer("x", 3600)),
    Case("offer_head", "A", ("offer", "x", HOUR, "MILLISECONDS"), lambda d: d.offer("x", 3600)),
    Case(
        "offer_not_head",
        "A",
        ("offer", "x", 3_000_000, "HOURS"),
        lambda d: d.offer("x", timedelta(hours=3_000_000)),
    ),
    Case("offer_equal_value", "A", ("offer", "A", 1, "HOURS"), lambda d: d.offer("A", 3600)),
    Case("offer_empty_value", "", ("offer", "", 1, "DAYS"), lambda d: d.offer("", 86400)),
    Case(
        "offer_astral",
        "",
        ("offer", "héllo 😀", HOUR, "MILLISECONDS"),
        lambda d: d.offer("héllo 😀", 3600),
    ),
    Case("offer_late_unit", "", ("offer", "x", 2, "MINUTES"), lambda d: d.offer("x", 120.0)),
    Case("offer_negative", "", ("offer", "x", -5, "MILLISECONDS"), lambda d: d.offer("x", -0.005)),
    Case(
        "offer_null",
        "",
        ("offer", None, HOUR, "MILLISECONDS"),
        lambda d: d.offer(None, 3600),  # type: ignore[arg-type]  # the mistake is the test
    ),
    Case("offer_without_delay", "", ("offer", "x"), lambda d: d.offer("x")),
    Case("add", "", ("add", "x"), lambda d: d.add("x")),  # type: ignore[attr-defined]  # there is none
    Case("addAll", "", ("addAll", ["x"]), lambda d: d.add_all(["x"])),  # type: ignore[attr-defined]  # there is none
]

TAKING = [
    Case("poll", "ABC", ("poll",), lambda d: d.poll()),
    Case("poll_empty", "", ("poll",), lambda d: d.poll()),
    Case("poll_0", "ABC", ("poll", 0), lambda d: d.poll(0)),
    Case("poll_2", "ABC", ("poll", 2), lambda d: d.poll(2)),
    Case("poll_all", "ABC", ("poll", 3), lambda d: d.poll(3)),
    Case("poll_more", "ABC", ("poll", 5), lambda d: d.poll(5)),
    Case("poll_many_empty", "", ("poll", 5), lambda d: d.poll(5)),
    Case("poll_equal_values", "AAB", ("poll", 2), lambda d: d.poll(2)),
    Case("remove_first", "ABC", ("remove",), lambda d: d.remove()),
    Case("remove_first_empty", "", ("remove",), lambda d: d.remove()),
    Case(
        "pollLastAndOfferFirstTo",
        "ABC",
        ("pollLastAndOfferFirstTo", "other"),
        lambda d: d.poll_last_and_offer_first_to("other"),
        others={"other": "X"},
    ),
    Case(
        "pollLastAndOfferFirstTo_empty",
        "",
        ("pollLastAndOfferFirstTo", "other"),
        lambda d: d.poll_last_and_offer_first_to("other"),
    ),
    Case(
        "pollLastAndOfferFirstTo_target",
        "AB",
        ("pollLastAndOfferFirstTo", "q"),
        lambda d: d.poll_last_and_offer_first_to("q"),
        target=(b"X",),
    ),
]

LOOKING = [
    Case("peek", "ABC", ("peek",), lambda d: d.peek()),
    Case("peek_empty", "", ("peek",), lambda d: d.peek()),
    Case("element", "ABC", ("element",), lambda d: d.element()),
    Case("element_empty", "", ("element",), lambda d: d.element()),
    Case("size", "ABC", ("size",), lambda d: d.size()),
    Case("size_empty", "", ("size",), len),
    Case("isEmpty", "ABC", ("isEmpty",), lambda d: d.is_empty()),
    Case("isEmpty_empty", "", ("isEmpty",), lambda d: d.is_empty()),
    Case("readAll", "ABC", ("readAll",), lambda d: d.read_all()),
    Case("readAll_empty", "", ("readAll",), lambda d: d.read_all()),
    Case("toArray", "ABC", ("toArray",), lambda d: d.read_all()),
    Case("contains", "ABC", ("contains", "B"), lambda d: d.contains("B")),
    Case("contains_first_of_two", "BAB", ("contains", "B"), lambda d: "B" in d),
    Case("contains_not", "ABC", ("contains", "N"), lambda d: d.contains("N")),
    Case("contains_empty", "", ("contains", "A"), lambda d: d.contains("A")),
    Case("containsAll", "ABC", ("containsAll", ["A", "C"]), lambda d: d.contains_all(["A", "C"])),
    Case(
        "containsAll_all",
        "ABC",
        ("containsAll", ["C", "B", "A"]),
        lambda d: d.contains_all(["C", "B", "A"]),
    ),
    Case(
        "containsAll_not",
        "ABC",
        ("containsAll", ["A", "N"]),
        lambda d: d.contains_all(["A", "N"]),
    ),
    Case(
        "containsAll_duplicates",
        "ABC",
        ("containsAll", ["A", "A"]),
        lambda d: d.contains_all(["A", "A"]),
        releases=("4.7.0",),
    ),
    Case(
        "containsAll_duplicates",
        "ABC",
        ("containsAll", ["A", "A"]),
        lambda d: d.contains_all(["A", "A"]),
        why="before 3.33.0 Java loses its place in the arguments and says no",
        results_differ=(False, True),
        releases=("3.19.3",),
    ),
    Case("containsAll_nothing", "ABC", ("containsAll", []), lambda d: d.contains_all([])),
    Case("containsAll_empty", "", ("containsAll", ["A"]), lambda d: d.contains_all(["A"])),
    Case(
        "iterator",
        "ABC",
        ("iterator",),
        lambda d: list(iter(d)),
        why=PAGED,
        java_commands=("lindex LIST 0", "lindex LIST 1", "lindex LIST 2", "lindex LIST 3"),
        python_commands=("lrange LIST 0 499",),
    ),
    Case(
        "iterator_empty",
        "",
        ("iterator",),
        lambda d: list(iter(d)),
        why=PAGED,
        java_commands=("lindex LIST 0",),
        python_commands=("lrange LIST 0 499",),
    ),
]

REMOVING = [
    Case("remove", "ABC", ("remove", "B"), lambda d: d.remove("B")),
    Case("remove_not", "ABC", ("remove", "N"), lambda d: d.remove("N")),
    Case("remove_one_of_two", "BAB", ("remove", "B"), lambda d: d.remove("B")),
    Case("remove_empty", "", ("remove", "A"), lambda d: d.remove("A")),
    Case("removeAll", "ABC", ("removeAll", ["A", "C"]), lambda d: d.remove_all(["A", "C"])),
    Case("removeAll_every", "ABAB", ("removeAll", ["A"]), lambda d: d.remove_all(["A"])),
    Case(
        "removeAll_repeated",
        "ABAC",
        ("removeAll", ["A", "N", "A"]),
        lambda d: d.remove_all(["A", "N", "A"]),
    ),
    Case("removeAll_not", "ABC", ("removeAll", ["N"]), lambda d: d.remove_all(["N"])),
    Case("removeAll_nothing", "ABC", ("removeAll", []), lambda d: d.remove_all([])),
    Case("removeAll_empty", "", ("removeAll", ["A"]), lambda d: d.remove_all(["A"])),
    Case(
        "retainAll",
        "ABC",
        ("retainAll", ["A"]),
        lambda d: d.retain_all(["A"]),
        why="Java forgets the timeout set, so what it removes is delivered all the same",
        java_commands=("lrange LIST 0 -1", "lrem LIST 0 <B>", "lrem LIST 0 <C>"),
        python_commands=(
            "lrange LIST 0 -1",
            "lrem LIST 0 <B>",
            "zrem SET <B>",
            "lrem LIST 0 <C>",
            "zrem SET <C>",
        ),
        keys_differ=True,
    ),
    Case(
        "retainAll_all",
        "ABA",
        ("retainAll", ["A", "B", "N"]),
        lambda d: d.retain_all(["A", "B", "N"]),
    ),
    Case("retainAll_nothing", "ABC", ("retainAll", []), lambda d: d.retain_all([])),
    Case("retainAll_empty", "", ("retainAll", ["A"]), lambda d: d.retain_all(["A"])),
    Case(
        "removeIf",
        "BAB",
        ("removeIf", equal_to("B")),
        lambda d: d.remove_if(lambda value: value == "B"),
        why=PAGED + "; what is removed is removed by the same two commands",
        java_commands=(
            "lindex LIST 0",
            "lindex LIST 0",
            "lrem LIST 1 <B>",
            "zrem SET <B>",
            "lindex LIST 0",
            "lindex LIST 1",
            "lindex LIST 1",
            "lrem LIST 1 <B#2>",
            "zrem SET <B#2>",
            "lindex LIST 1",
        ),
        python_commands=(
            "lrange LIST 0 499",
            "lrem LIST 1 <B>",
            "zrem SET <B>",
            "lrem LIST 1 <B#2>",
            "zrem SET <B#2>",
        ),
    ),
    Case(
        "removeIf_not",
        "A",
        ("removeIf", equal_to("B")),
        lambda d: d.remove_if(lambda value: value == "B"),
        why=PAGED,
        java_commands=("lindex LIST 0", "lindex LIST 1"),
        python_commands=("lrange LIST 0 499",),
    ),
    Case("poll_copies", "AB", ("poll", 2), lambda d: d.poll(2), copies=2),
    Case("remove_copies", "AB", ("remove", "A"), lambda d: d.remove("A"), copies=2),
    Case(
        "removeAll_copies",
        "ABC",
        ("removeAll", ["B"]),
        lambda d: d.remove_all(["B"]),
        why=OUTRUN,
        results_differ=("error: script failed", True),
        copies=2,
    ),
    Case(
        "removeAll_all_copies",
        "ABC",
        ("removeAll", ["C", "A", "B"]),
        lambda d: d.remove_all(["C", "A", "B"]),
        why=OUTRUN + "; ours does not ask a list that it has emptied",
        java_commands=(*EMPTYING, "lindex LIST 0"),
        python_commands=EMPTYING,
        results_differ=("error: script failed", True),
        copies=2,
    ),
    Case(
        "retainAll_copies", "AB", ("retainAll", ["A", "B"]), lambda d: d.retain_all("AB"), copies=2
    ),
    Case("clear", "ABC", ("clear",), lambda d: d.clear(), target=(b"X",)),
    Case("clear_empty", "", ("clear",), lambda d: d.clear()),
    Case("delete", "ABC", ("delete",), lambda d: d.delete(), target=(b"X",)),
    Case("delete_empty", "", ("delete",), lambda d: d.delete(), target=(b"X",)),
]
