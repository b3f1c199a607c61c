"""Sharded pub/sub in a cluster: each channel is subscribed at the node that serves its slot."""

from functools import partial
from typing import Any

import redis.asyncio

from pyredisson import AsyncRedisson
from pyredisson.codecs import StringCodec
from tests._async.background.hearers import AsyncHearer, AsyncShardHearer
from tests.support.server import RedisServer
from tests.support.topology import RedisCluster
from tests.support.twins import until_async


def cluster_client(cluster: RedisCluster) -> Any:
    return redis.asyncio.RedisCluster.from_url(cluster.url)


async def test_sharded_channels_of_all_nodes_receive_messages(cluster: RedisCluster) -> None:
    """An ordinary channel of the same name is a separate channel."""
    channels = [f"channel {number}" for number in range(30)]
    async with AsyncRedisson(cluster_client(cluster), codec=StringCodec()) as redisson:
        background = redisson._context.background
        hearer = background.acquire("sharded", partial(AsyncShardHearer, *channels))
        ordinary = background.acquire("ordinary", partial(AsyncHearer, *channels))
        await until_async(lambda: sorted(hearer.subscribed) == sorted(channels), "it listens")
        await until_async(lambda: sorted(ordinary.subscribed) == sorted(channels), "so does that")
        for channel in channels:
            home = cluster.master_of(channel.encode())
            home.run("SPUBLISH", channel, "sharded")
            home.run("PUBLISH", channel, "ordinary")
        await until_async(lambda: len(hearer.messages) == 30, "it hears")
        await until_async(lambda: len(ordinary.messages) == 30, "that hears")
        assert sorted(hearer.messages) == sorted((each, b"sharded") for each in channels)
        assert sorted(ordinary.messages) == sorted((each, b"ordinary") for each in channels)
        background.release("sharded")
        homes = cluster.servers
        await until_async(
            lambda: not any(each.run("PUBSUB", "SHARDCHANNELS") for each in homes), "no more"
        )


async def test_end_of_an_ordinary_subscription_leaves_the_sharded_one_of_the_same_name(
    cluster: RedisCluster,
) -> None:
    async with AsyncRedisson(cluster_client(cluster), codec=StringCodec()) as redisson:
        background = redisson._context.background
        sharded = background.acquire("sharded", partial(AsyncShardHearer, "c"))
        ordinary = background.acquire("ordinary", partial(AsyncHearer, "c"))
        await until_async(lambda: sharded.subscribed == ordinary.subscribed == ["c"], "both")
        background.release("ordinary")
        assert background.is_subscribed("c", sharded=True)
        another = background.acquire("another", partial(AsyncShardHearer, "c"))
        await until_async(lambda: another.subscribed == ["c"], "it is subscribed, too")


async def test_repeated_unsubscribes_do_not_end_other_subscriptions(cluster: RedisCluster) -> None:
    """Waits for a lock do this in turn; the subscriptions of other listeners continue."""
    async with AsyncRedisson(cluster_client(cluster), codec=StringCodec()) as redisson:
        background = redisson._context.background
        stays = background.acquire("stays", partial(AsyncShardHearer, "{c} stays"))
        await until_async(lambda: len(stays.subscribed) == 1, "it listens")
        for _ in range(100):
            comes = background.acquire("comes", partial(AsyncShardHearer, "{c} comes"))
            await until_async(lambda: len(comes.subscribed) > 0, "it listens")  # noqa: B023 - called here
            background.release("comes")
        assert len(stays.subscribed) == 1


async def test_a_sharded_channel_moves_with_its_slot(cluster: RedisCluster) -> None:
    channel = "moving"
    async with AsyncRedisson(cluster_client(cluster), codec=StringCodec()) as redisson:
        hearer = redisson._context.background.acquire("a", partial(AsyncShardHearer, channel))
        await until_async(lambda: hearer.subscribed == [channel], "it listens")
        for number in (1, 2):
            source = cluster.master_of(channel.encode())
            target = next(each for each in cluster.servers if each is not source)
            cluster.begin_move(channel.encode(), target)
            cluster.finish_move(channel.encode(), target)
            await until_async(lambda: len(hearer.subscribed) > number, "again")  # noqa: B023 - called here
            target.run("SPUBLISH", channel, f"{number}")
            await until_async(lambda: len(hearer.messages) == number, "it hears")  # noqa: B023 - called here
    assert hearer.messages == [(channel, b"1"), (channel, b"2")]


async def test_cluster_without_ssubscribe_uses_ordinary_channels() -> None:
    """Older servers such as Redis 6.2 do not have SSUBSCRIBE, so Redisson uses PUBLISH."""
    without = ("--rename-command", "SSUBSCRIBE", "")

    def server(*options: str) -> RedisServer:
        return RedisServer(*options, *without)

    with RedisCluster(server=server) as cluster:
        client = cluster_client(cluster)
        async with AsyncRedisson(client, codec=StringCodec()) as redisson:
            background = redisson._context.background
            first = background.acquire("a", partial(AsyncShardHearer, "c"))
            await until_async(lambda: first.subscribed == ["c"], "it listens")
            second = background.acquire("b", partial(AsyncShardHearer, "c", "d"))
            await until_async(lambda: sorted(second.subscribed) == ["c", "d"], "so does that")
            cluster.servers[0].run("PUBLISH", "c", "x")
            await until_async(lambda: len(first.messages + second.messages) == 2, "they hear")


async def test_without_a_cluster_a_sharded_channel_is_an_ordinary_one(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    hearer = redisson._context.background.acquire("a", partial(AsyncShardHearer, "c"))
    await until_async(lambda: hearer.subscribed == ["c"], "it listens")
    raw.publish("c", "x")
    await until_async(lambda: hearer.messages == [("c", b"x")], "it hears")
