"""The Redisson release of a client sets the entries' format, the default codec and other codecs."""

from typing import Any

import pytest
import redis
import redis.asyncio

from pyredisson import AsyncRedisson, EncodeError
from pyredisson.codecs import (
    CompositeCodec,
    JsonJackson3Codec,
    Kryo5Codec,
    LZ4Codec,
    StringCodec,
)
from pyredisson.java import JList
from pyredisson.protocol.delayed.entry import WireFormat, unpack

FIXED = JList("java.util.Collections$UnmodifiableRandomAccessList", ["a"])
REFUSED = r'only Redisson 3\.35\.0 and newer reads this.* Redisson\(client, release="4\.7\.0"\)'


def client(**options: Any) -> AsyncRedisson:
    """Make a client that never connects."""
    return AsyncRedisson(redis.asyncio.Redis(port=1), **options)


@pytest.mark.parametrize(
    ("release", "codec"),
    [
        (None, "Kryo5Codec()"),
        ("4.7.0", "Kryo5Codec(release='4.7.0')"),
        ("9.9.9", "Kryo5Codec(release='9.9.9')"),
        ("3.19.0", "Kryo5Codec(release='3.19.0')"),
        ("3.17.7", "MarshallingCodec()"),
        ("3.12.5", "FstCodec()"),
        ("3.2.0", "JsonJacksonCodec(release='3.2.0')"),
    ],
)
async def test_release_sets_the_default_codec(release: str | None, codec: str) -> None:
    async with client(release=release) as redisson:
        assert repr(redisson.get_queue("q").codec) == codec
        assert redisson.get_blocking_deque("q").codec is redisson.get_queue("p").codec


async def test_release_applies_to_codecs_without_a_release() -> None:
    inner, told = Kryo5Codec(), Kryo5Codec(release="3.52.0")
    async with client(release="3.27.2", codec=LZ4Codec()) as redisson:
        assert repr(redisson.get_queue("q").codec) == "LZ4Codec(Kryo5Codec(release='3.27.2'))"
        assert redisson.get_queue("q", codec=told).codec is told
        bound = redisson.get_deque("q", codec=inner).codec
        assert repr(bound) == "Kryo5Codec(release='3.27.2')"
        assert redisson.get_blocking_queue("q", codec=inner).codec is bound  # bound only once
        composite = redisson.get_queue("q", codec=CompositeCodec(None, None, inner)).codec
        assert repr(composite) == "CompositeCodec(None, None, Kryo5Codec(release='3.27.2'))"
    async with client() as redisson:
        assert redisson.get_queue("q", codec=inner).codec is inner


async def test_codec_that_the_release_does_not_have_is_rejected() -> None:
    async with client(release="3.27.2") as redisson:
        with pytest.raises(ValueError, match=r"has no JsonJackson3Codec; it came with 4\.1\.0"):
            redisson.get_queue("q", codec=JsonJackson3Codec())
        redisson.get_queue("q", codec=JsonJackson3Codec(release="4.7.0"))
    with pytest.raises(ValueError, match=r"known from 3\.19\.0 on"):
        client(release="3.18.1", codec=Kryo5Codec())


@pytest.mark.parametrize("release", ["3.27", "", "latest", "3.1.0", "2.15.2"])
async def test_unknown_and_unsupported_releases_are_rejected(release: str) -> None:
    with pytest.raises(ValueError, match=r"not a Redisson release|supported from 3\.2\.0"):
        client(release=release)


async def test_release_that_is_no_str_is_rejected() -> None:
    with pytest.raises(TypeError, match=r'as a str, such as "3\.27\.2", got 3\.27'):
        client(release=3.27)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, WireFormat.CURRENT),
        ({"release": "3.21.0"}, WireFormat.LEGACY),
        ({"release": "3.21.1"}, WireFormat.CURRENT),
        ({"release": "4.7.0", "wire_format": "3.19.3"}, WireFormat.LEGACY),
        ({"release": "3.19.3", "wire_format": WireFormat.CURRENT}, WireFormat.CURRENT),
    ],
)
async def test_release_sets_the_wire_format_of_entries(
    options: dict[str, Any], expected: WireFormat, url: str, raw: redis.Redis
) -> None:
    async with AsyncRedisson.from_url(url, **options) as redisson:
        target = redisson.get_queue("q", codec=StringCodec())
        delayed = redisson.get_delayed_queue(target, transfer=False)
        await delayed.offer("a", delay=3600)
        entry: Any = raw.lindex("redisson_delay_queue:{q}", 0)
        assert unpack(entry).wire_format is expected


async def test_without_a_release_values_that_few_can_read_are_rejected(
    url: str, raw: redis.Redis
) -> None:
    async with AsyncRedisson.from_url(url) as redisson:
        queue = redisson.get_queue("q")
        delayed = redisson.get_delayed_queue(queue, transfer=False)
        with pytest.raises(EncodeError, match=REFUSED):
            await queue.offer(FIXED)
        with pytest.raises(EncodeError, match=REFUSED):
            await delayed.offer({"a": FIXED}, delay=3600)
    assert raw.keys() == []
    async with AsyncRedisson.from_url(url, release="4.7.0") as redisson:
        queue = redisson.get_queue("q")
        await queue.offer(FIXED)
        found: Any = await queue.poll()
        assert found.value == FIXED
