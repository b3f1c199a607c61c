"""Two names can have the same companion keys; a client accepts only the first of them."""

from typing import Any

import pytest

from pyredisson import AsyncRedisson, InvalidNameError
from pyredisson.codecs import StringCodec

LONG = 3600

BESIDE: dict[str, Any] = {
    "get_delayed_queue": lambda r, q: r.get_delayed_queue(q, transfer=False),
    "get_delayed_queue(max_size)": lambda r, q: r.get_delayed_queue(q, transfer=False, max_size=5),
    "get_consumer": lambda r, q: r.get_consumer(q, transfer=False),
    "get_dead_letters": lambda r, q: r.get_dead_letters(q),
    "get_group_window": lambda r, q: r.get_group_window(q, size=2, max_wait=LONG, transfer=False),
    "get_schedule": lambda r, q: r.get_schedule(r.get_delayed_queue(q), advance=False),
    "get_poison_list": lambda r, q: r.get_poison_list(q),
}
BOTH = [("orders", "{orders}"), ("{orders}", "orders")]


@pytest.mark.parametrize(("first", "second"), BOTH)
@pytest.mark.parametrize("make", BESIDE)
async def test_second_name_with_the_same_companions_is_rejected(
    redisson: AsyncRedisson, raw: Any, make: str, first: str, second: str
) -> None:
    BESIDE[make](redisson, redisson.get_queue(first))
    BESIDE[make](redisson, redisson.get_queue(first))
    for other in BESIDE.values():
        with pytest.raises(InvalidNameError) as refused:
            other(redisson, redisson.get_queue(second))
        assert repr(first) in str(refused.value)
        assert repr(second) in str(refused.value)
    assert [stats.queue for stats in redisson.transfer_stats()] in ([], [first])
    assert raw.keys() == []


async def test_pause_and_rename_reject_the_second_name(redisson: AsyncRedisson, raw: Any) -> None:
    """A rejected call changes nothing."""
    delayed = redisson.get_delayed_queue(redisson.get_queue("orders"), transfer=False)
    await delayed.offer("a", delay=LONG)
    twin = redisson.get_queue("{orders}")
    for call in (twin.pause, twin.resume, twin.is_paused):
        with pytest.raises(InvalidNameError, match="orders"):
            await call()
    for rename in (delayed.rename, delayed.renamenx, delayed.copy):
        with pytest.raises(InvalidNameError, match="orders"):
            await rename("{orders}")
    assert delayed.name == "orders"
    assert await delayed.read_all() == ["a"]
    assert len(raw.keys()) == 2


async def test_plain_queues_share_no_companion_keys(redisson: AsyncRedisson) -> None:
    """Names that only look alike share nothing either, and neither do buckets."""
    plain, braced = redisson.get_queue("orders"), redisson.get_queue("{orders}")
    await plain.add("a")
    await braced.add("b")
    assert (await plain.read_all(), await braced.read_all()) == (["a"], ["b"])
    for name in ("orders", "{orders}1", "{orders}{orders}", "orders}"):
        redisson.get_delayed_queue(redisson.get_queue(name), transfer=False)
    assert redisson.get_bucket("{orders}").name == "{orders}"


class Braces:
    """A mapper that puts braces around `orders`, and removes the prefix `plain `."""

    def map(self, name: str) -> str:
        return f"{{{name}}}" if name == "orders" else name.removeprefix("plain ")

    def unmap(self, name: str) -> str:
        raise NotImplementedError


async def test_mapped_names_are_compared(url: str) -> None:
    async with AsyncRedisson.from_url(url, codec=StringCodec(), name_mapper=Braces()) as redisson:
        redisson.get_delayed_queue(redisson.get_queue("orders"), transfer=False)
        redisson.get_delayed_queue(redisson.get_queue("{orders}"), transfer=False)  # the same name
        with pytest.raises(InvalidNameError, match=r"'orders' and '\{orders\}' are two objects"):
            redisson.get_delayed_queue(redisson.get_queue("plain orders"), transfer=False)
