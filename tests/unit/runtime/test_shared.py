"""Objects that several users share, and the numbers of callers."""

import asyncio
import threading

import pytest

from pyredisson._runtime.owners import caller_number, caller_number_async
from pyredisson._runtime.shared import Shared


def test_the_first_user_makes_it_and_the_last_one_ends_it() -> None:
    shared: Shared[str, list[int]] = Shared()
    thing, first = shared.acquire("a", list)
    assert first
    again, first = shared.acquire("a", list)
    assert again is thing
    assert not first
    assert (shared.users("a"), shared.things) == (2, {"a": []})
    assert shared.release("a") is None
    assert shared.release("a") is thing
    assert shared.release("a") is None
    assert (shared.users("a"), shared.things) == (0, {})


def test_thing_that_cannot_be_made_has_no_user() -> None:
    shared: Shared[str, int] = Shared()
    with pytest.raises(ValueError, match="invalid literal"):
        shared.acquire("a", lambda: int("x"))
    assert (shared.users("a"), shared.things) == (0, {})
    assert shared.acquire("a", int) == (0, True)


def test_user_that_cannot_begin_is_not_counted() -> None:
    ended: list[str] = []

    def begin(thing: str, first: bool) -> None:
        if not first:
            raise KeyboardInterrupt

    shared: Shared[str, str] = Shared(begin, ended.append)
    shared.acquire("a", lambda: "thing")
    with pytest.raises(KeyboardInterrupt):
        shared.acquire("a", lambda: "another one")
    assert (shared.users("a"), ended) == (1, [])
    assert shared.release("a") == "thing"
    assert ended == ["thing"]


def test_interrupted_end_is_repeated() -> None:
    ended: list[str] = []

    def end(thing: str) -> None:
        ended.append(thing)
        if len(ended) == 1:
            raise KeyboardInterrupt

    shared: Shared[str, str] = Shared(end=end)
    shared.acquire("a", lambda: "thing")
    with pytest.raises(KeyboardInterrupt):
        shared.release("a")
    assert (ended, shared.things) == (["thing", "thing"], {})


def test_drop_ignores_the_number_of_users() -> None:
    shared: Shared[str, int] = Shared()
    for key, value in (("a", 1), ("a", 1), ("b", 2)):
        shared.acquire(key, lambda value=value: value)  # type: ignore[misc]  # a default
    assert shared.drop(lambda thing: thing == 1) == [1]
    assert (shared.users("a"), shared.users("b"), shared.things) == (0, 1, {"b": 2})


def test_users_are_counted_correctly_with_several_threads() -> None:
    shared: Shared[str, object] = Shared()

    def use() -> None:
        for _ in range(500):
            shared.acquire("a", object)
            shared.release("a")

    threads = [threading.Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert shared.things == {}


def test_a_thread_has_a_number_of_its_own() -> None:
    numbers = [caller_number(), caller_number()]
    for _ in range(5):
        thread = threading.Thread(target=lambda: numbers.append(caller_number()))
        thread.start()
        thread.join()  # the next thread may have the same ident
    assert numbers[0] == numbers[1]
    assert len(set(numbers)) == 6


async def test_a_task_has_a_number_of_its_own() -> None:
    async def number() -> int:
        return caller_number_async()

    here = await number()
    assert here == await number()
    assert len({here, *[await asyncio.create_task(number()) for _ in range(5)]}) == 6


def test_caller_number_needs_a_task() -> None:
    loop = asyncio.new_event_loop()
    try:
        loop.call_soon(loop.stop)
        loop.run_forever()
        with pytest.raises(RuntimeError):
            caller_number_async()
    finally:
        loop.close()
