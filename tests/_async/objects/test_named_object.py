"""Named objects: queries for another name change nothing, and errors name the key."""

from collections.abc import Callable
from typing import Any

import pytest

from pyredisson import AsyncRedisson, InvalidNameError
from pyredisson.codecs import StringCodec
from pyredisson.server_errors import ReplyError

Make = Callable[[AsyncRedisson], Any]


def queue_of(redisson: AsyncRedisson) -> Any:
    return redisson.get_queue("q")


def delayed_of(redisson: AsyncRedisson) -> Any:
    return redisson.get_delayed_queue(queue_of(redisson), transfer=False)


MAKE: dict[str, Make] = {
    "queue": queue_of,
    "bucket": lambda redisson: redisson.get_bucket("q"),
    "delayed queue": delayed_of,
    "consumer": lambda redisson: redisson.get_consumer(queue_of(redisson), transfer=False),
    "dead letters": lambda redisson: redisson.get_dead_letters(queue_of(redisson)),
    "poison": lambda redisson: redisson.get_poison_list(queue_of(redisson)),
    "schedule": lambda redisson: redisson.get_schedule(delayed_of(redisson), advance=False),
    "window": lambda redisson: redisson.get_group_window(
        queue_of(redisson), size=2, max_wait=1, transfer=False
    ),
}


@pytest.fixture
def apart() -> AsyncRedisson:
    """A client that sends nothing to a server."""
    return AsyncRedisson.from_url("redis://127.0.0.1:1", codec=StringCodec())


@pytest.mark.parametrize("kind", MAKE)
def test_asking_for_the_keys_of_another_name_changes_nothing(
    apart: AsyncRedisson, kind: str
) -> None:
    each = MAKE[kind](apart)
    before = dict(vars(each))
    other = MAKE[kind](AsyncRedisson.from_url("redis://127.0.0.1:1", codec=StringCodec()))
    other._bind("other")
    for ask in ("_keys_of", "_others_of", "_one_slot"):
        assert list(getattr(each, ask)("other")) == list(getattr(other, ask)(other._redis_name))
        assert not set(getattr(each, ask)("other")) & set(getattr(each, ask)("q"))
    assert vars(each) == before
    apart.get_delayed_queue(apart.get_queue("{other}"), transfer=False)  # "other" is not claimed
    with pytest.raises(InvalidNameError, match="are two objects"):
        apart.get_delayed_queue(apart.get_queue("other"), transfer=False)


async def test_an_error_of_a_command_names_the_key(redisson: AsyncRedisson, raw: Any) -> None:
    raw.set("q", "text")
    with pytest.raises(ReplyError, match=r"\(PFCOUNT q\)"):
        await redisson.get_hyper_log_log("q").count()
    raw.delete("q")
    values: Any = redisson.get_list("q", codec=StringCodec())
    await values.add("a")
    with pytest.raises(ReplyError, match=r"\(LINDEX q\)"):
        await values.get(0.5)
