"""RDelayedQueue as an object: its time to live, and what RObject does to all of it.

Rule: ``why`` gives the reason where Python differs; a case without it must not differ.
"""

from datetime import UTC, datetime, timedelta

from interop.peer.values import Java
from interop.tests.support.pair import AT, Case

AT_UTC = datetime(2100, 1, 1, tzinfo=UTC)

WRONG_KEY = "Redisson does not override it: it acts on the target list instead of the pending items"
PAGED = "Java sends a script for each element and one more; ours reads pages of 500"
OUTRUN = (
    "Java counts one removal where LREM removes two, runs past the end of the list and fails "
    "there, after the same commands"
)


def seconds(number: int) -> Java:
    """Return a Duration."""
    return Java("duration", f"PT{number}S")


EXPIRING = [
    Case("expire", "ABC", ("expire", seconds(100)), lambda d: d.expire(100), target=(b"X",)),
    Case(
        "expire_unit",
        "ABC",
        ("expire", 100_000, "MILLISECONDS"),
        lambda d: d.expire(timedelta(seconds=100)),
    ),
    Case("expire_empty", "", ("expire", seconds(100)), lambda d: d.expire(100)),
    Case("expireAt", "ABC", ("expireAt", AT), lambda d: d.expire_at(AT_UTC)),
    Case(
        "expire_instant",
        "ABC",
        ("expire", Java("instant", "2100-01-01T00:00:00Z")),
        lambda d: d.expire_at(AT_UTC),
    ),
    *(
        Case(
            f"{method}{'_expiring' if expiring else ''}",
            "ABC",
            (method, seconds(100)),
            # The condition is bound here, not looked up when the case runs.
            lambda d, condition=condition: d.expire(100, condition=condition),  # type: ignore[misc]  # mypy infers no default
            expiring=expiring,
        )
        for method, condition in {
            "expireIfSet": "XX",
            "expireIfNotSet": "NX",
            "expireIfGreater": "GT",
            "expireIfLess": "LT",
        }.items()
        for expiring in (False, True)
    ),
    Case("clearExpire", "ABC", ("clearExpire",), lambda d: d.clear_expire(), expiring=True),
    Case("clearExpire_none", "ABC", ("clearExpire",), lambda d: d.clear_expire()),
]

WHOLE = [
    Case("sizeInMemory", "ABC", ("sizeInMemory",), lambda d: d.size_in_memory()),
    Case("getName", "ABC", ("getName",), lambda d: d.name),
    Case(
        "isExists",
        "ABC",
        ("isExists",),
        lambda d: d.is_exists(),
        why=WRONG_KEY,
        java_commands=("exists q",),
        python_commands=("exists LIST SET",),
        results_differ=(False, True),
    ),
    Case(
        "touch",
        "ABC",
        ("touch",),
        lambda d: d.touch(),
        why=WRONG_KEY,
        java_commands=("touch q",),
        python_commands=("touch LIST SET",),
        results_differ=(False, True),
    ),
    Case(
        "unlink",
        "ABC",
        ("unlink",),
        lambda d: d.unlink(),
        why=WRONG_KEY + " (and deletes what consumers were to take)",
        java_commands=("unlink q",),
        python_commands=("unlink LIST SET",),
        keys_differ=True,
        target=(b"X",),
    ),
    Case(
        "remainTimeToLive",
        "ABC",
        ("remainTimeToLive",),
        lambda d: d.remain_time_to_live(),
        why=WRONG_KEY,
        java_commands=("pttl q",),
        python_commands=("pttl LIST",),
        results_differ=(-2, None),
    ),
    Case(
        "getExpireTime",
        "ABC",
        ("getExpireTime",),
        lambda d: d.get_expire_time(),
        why=WRONG_KEY,
        java_commands=("pexpiretime q",),
        python_commands=("pexpiretime LIST",),
        results_differ=(-2, None),
    ),
    Case(
        "getIdleTime",
        "ABC",
        ("getIdleTime",),
        lambda d: d.get_idle_time(),
        why=WRONG_KEY,
        java_commands=("object idletime q",),
        python_commands=("object idletime LIST",),
        target=(b"X",),
        results_may_differ_by_a_second=True,
    ),
    Case(
        "dump",
        "",
        ("dump",),
        lambda d: d.dump(),
        why=WRONG_KEY,
        java_commands=("dump q",),
        python_commands=("dump LIST", "dump SET"),
        results_differ=(None, (None, None)),
    ),
    Case(
        "move_database",
        "ABC",
        ("move", 1),
        lambda d: d.move_to_database(1),
        why=WRONG_KEY,
        java_commands=("move q 1",),
        python_commands=("move LIST 1", "move SET 1"),
        keys_differ=True,
        target=(b"X",),
    ),
    Case(
        "rename",
        "ABC",
        ("rename", "r"),
        lambda d: d.rename("r"),
        why=WRONG_KEY,
        java_commands=("rename q r",),
        python_commands=(
            "exists LIST SET",
            "exists LIST",
            "exists SET",
            "rename LIST redisson_delay_queue:{r}",
            "rename SET redisson_delay_queue_timeout:{r}",
        ),
        keys_differ=True,
        target=(b"X",),
    ),
    Case(
        "copy",
        "ABC",
        ("copy", "r"),
        lambda d: d.copy("r"),
        why="Java copies the packed items into the target list of the new name",
        java_commands=("copy LIST r", "copy SET redisson_delay_queue_timeout:{r}"),
        python_commands=(
            "exists redisson_delay_queue:{r} redisson_delay_queue_timeout:{r}",
            "copy LIST redisson_delay_queue:{r}",
            "copy SET redisson_delay_queue_timeout:{r}",
        ),
        keys_differ=True,
        releases=("4.7.0",),  # since 3.35.0
    ),
    Case(
        "copyAndReplace",
        "ABC",
        ("copyAndReplace", "r"),
        lambda d: d.copy_and_replace("r"),
        why="Java copies the packed items into the target list of the new name",
        java_commands=("copy LIST r replace", "copy SET redisson_delay_queue_timeout:{r} replace"),
        python_commands=(
            "copy LIST redisson_delay_queue:{r} replace",
            "copy SET redisson_delay_queue_timeout:{r} replace",
        ),
        keys_differ=True,
        others={"r": "X"},
        releases=("4.7.0",),
    ),
    Case(
        "renamenx",
        "ABC",
        ("renamenx", "r"),
        lambda d: d.renamenx("r"),
        why=WRONG_KEY,
        java_commands=("renamenx q r",),
        python_commands=(
            "exists LIST SET",
            "exists redisson_delay_queue:{r} redisson_delay_queue_timeout:{r}",
            "exists LIST",
            "exists SET",
            "rename LIST redisson_delay_queue:{r}",
            "rename SET redisson_delay_queue_timeout:{r}",
        ),
        keys_differ=True,
        target=(b"X",),
    ),
]
