"""The faults: each is a function that disturbs the stage and then repairs it."""

from __future__ import annotations

import contextlib
import signal
import time
from collections.abc import Callable

import redis

from interop.soak.places import QUEUES, Clustered, Guarded, Place, Single, held
from interop.soak.stage import Stage
from pyredisson.protocol.kernel.names import ConsumerNames
from tests.support.clock import SteppedServer
from tests.support.topology import RedisCluster, wait_until

__all__ = ["PROMOTIONS", "Fault", "faults_of"]

Fault = Callable[[Stage], None]


# ------------------------------------------------------------------ processes


def kill_a_worker(stage: Stage) -> None:
    """Kill a worker (SIGKILL); another one takes its place."""
    stage.replace(stage.chance.choice(("worker", "async_worker", "consumer", "forker", "ticker")))


def kill_a_producer(stage: Stage) -> None:
    """Kill a producer (SIGKILL); another one takes its place."""
    stage.replace("producer")


def kill_a_transferrer(stage: Stage) -> None:
    """Kill a transferring process (SIGKILL); another one takes its place."""
    stage.replace("transferrer")


def freeze_a_process(stage: Stage) -> None:
    """Suspend a process for shorter or longer than a lease: its connections are half open then."""
    actor = stage.one_of(stage.chance.choice(list(stage.cast)))
    actor.send_signal(signal.SIGSTOP)
    time.sleep(stage.chance.uniform(0.2, 4.0))
    actor.send_signal(signal.SIGCONT)


# ------------------------------------------------------------------ any server


def cut_connections(stage: Stage) -> None:
    """Kill all connections with CLIENT KILL, a few times."""
    for _attempt in range(3):
        for server in stage.place.masters:
            for kind in ("normal", "pubsub"):
                with contextlib.suppress(redis.RedisError):
                    server.run("CLIENT", "KILL", "TYPE", kind)
        time.sleep(0.05)


def forget_scripts(stage: Stage) -> None:
    """Flush the scripts (SCRIPT FLUSH)."""
    for server in stage.place.masters:
        server.run("SCRIPT", "FLUSH")


def fill_the_memory(stage: Stage) -> None:
    """Leave the servers no memory; they may evict nothing."""
    masters = stage.place.masters
    for server in masters:
        server.run("CONFIG", "SET", "maxmemory", 1)
    time.sleep(0.5)
    for server in masters:
        server.run("CONFIG", "SET", "maxmemory", 0)


def keep_it_busy(stage: Stage) -> None:
    """Run a long script of another client, so that the server replies BUSY."""
    now = "local n = redis.call('time') n = n[1] + n[2] / 1000000 "
    loop = now + "local e = n + 0.8 repeat " + now.removeprefix("local ") + "until n > e"
    with contextlib.suppress(redis.RedisError):
        stage.chance.choice(stage.place.masters).run("EVAL", loop, 0)


_HALF_WAY = """
local due = redis.call('zrangebyscore', KEYS[2], '-inf', ARGV[1], 'limit', 0, 50)
for i = 1, #due do
    local _, value = struct.unpack('Bc0Lc0', due[i])
    redis.call('rpush', KEYS[1], value)
    redis.call('lrem', KEYS[3], 1, due[i])
    due[i] = value
end
return due
"""


def stop_a_transfer_half_way(stage: Stage) -> None:
    """Stop Redisson's transfer before its ZREM, as in a queue of both formats.

    The items that it has moved are also still pending, so each comes twice, as if it was offered
    again.
    """
    for queue in QUEUES:
        names = ConsumerNames.of(queue).queue
        keys = (names.name, names.timeout_set, names.delay_list)
        for server in stage.place.masters:
            with contextlib.suppress(redis.RedisError):
                now = int(time.time() * 1000) + 500
                moved = server.run("EVAL", _HALF_WAY, 3, *keys, now)
                stage.twice.put("u", *(value.decode() for value in moved))


# ------------------------------------------------------------------ one server


def crash_the_server(stage: Stage) -> None:
    """Kill the server (SIGKILL), and start it again with its append-only file."""
    (server,) = stage.place.servers
    server.kill()
    time.sleep(stage.chance.uniform(0, 1.0))
    server.start()


def freeze_the_server(stage: Stage) -> None:
    """Suspend the server for shorter or longer than clients wait for a reply."""
    (server,) = stage.place.servers
    server.pause()
    time.sleep(stage.chance.uniform(0.2, 3.0))
    server.resume()


def step_the_clock(stage: Stage) -> None:
    """Set the server's clock forward or back by more than a lease, and right again."""
    (server,) = stage.place.servers
    assert isinstance(server, SteppedServer)
    server.step(stage.chance.choice((-1, 1)) * stage.chance.uniform(2, 6))
    time.sleep(stage.chance.uniform(0.5, 2))
    server.step(0)


def black_hole(stage: Stage) -> None:
    """Let the network swallow everything; then end the connections."""
    assert isinstance(stage.place, Single)
    proxy = stage.place.proxy
    proxy.black_hole()
    time.sleep(stage.chance.uniform(0.2, 4.0))
    proxy.heal(cut=True)


def lose_replies(stage: Stage) -> None:
    """Drop replies of requests that the server executes."""
    assert isinstance(stage.place, Single)
    stage.place.proxy.drop_replies(stage.chance.randint(1, 50))
    time.sleep(stage.chance.uniform(0.2, 1))
    stage.place.proxy.heal()


# ------------------------------------------------------------------ promotions


def kill_the_master(stage: Stage) -> None:
    """Kill the master: the Sentinels promote its replica, and it returns as a replica."""
    assert isinstance(stage.place, Guarded)
    group = stage.place.group
    old = group.master
    with held(old, group.servers):
        new = group.kill_master()
        old.arguments += ("--replicaof", "127.0.0.1", f"{new.port}")
        old.start()


def freeze_the_master(stage: Stage) -> None:
    """Suspend the master until its replica is promoted; then it gets what was sent meanwhile."""
    assert isinstance(stage.place, Guarded)
    group = stage.place.group
    old = group.master
    with held(old, group.servers):
        old.pause()
        wait_until(lambda: group.master is not old, "the Sentinels choose another master")
        new = group.master
        old.resume()
        time.sleep(stage.chance.uniform(0, 1.0))
        old.run("REPLICAOF", "127.0.0.1", new.port)  # the Sentinels would do this later


def kill_a_node(stage: Stage) -> None:
    """Kill a master of a cluster: its replica takes over, and it returns as a replica."""
    cluster, key = _cluster(stage)
    old = cluster.master_of(key)
    with held(old, cluster.alive):
        cluster.kill_master_of(key)
        old.start()


def freeze_a_node(stage: Stage) -> None:
    """Suspend a master for less time than its replacement takes; the others continue."""
    server = stage.chance.choice(stage.place.masters)
    server.pause()
    time.sleep(stage.chance.uniform(0.2, 2.2))
    server.resume()


def swap_a_node(stage: Stage) -> None:
    """Make a planned failover, which loses nothing."""
    cluster, key = _cluster(stage)
    cluster.failover(key)


def reshard(stage: Stage) -> None:
    """Move the slot of a queue to another node, key by key."""
    cluster, key = _cluster(stage)
    source = cluster.master_of(key)
    target = stage.chance.choice([each for each in stage.place.masters if each is not source])
    cluster.begin_move(key, target)
    time.sleep(stage.chance.uniform(0, 1.0))
    cluster.finish_move(key, target)


def _cluster(stage: Stage) -> tuple[RedisCluster, bytes]:
    """Return the cluster, and a queue whose node is to be disturbed."""
    assert isinstance(stage.place, Clustered)
    return stage.place.cluster, stage.chance.choice(QUEUES).encode()


PROMOTIONS: list[Fault] = [kill_the_master, freeze_the_master, kill_a_node, swap_a_node]
"""After these faults another server is the master."""


def faults_of(place: Place) -> list[Fault]:
    """Return the faults that are possible at a place."""
    faults: list[Fault] = [kill_a_worker, kill_a_producer, kill_a_transferrer, freeze_a_process]
    faults += [cut_connections, forget_scripts, fill_the_memory, keep_it_busy]
    faults += [stop_a_transfer_half_way]
    if isinstance(place, Single):
        faults += [crash_the_server, freeze_the_server, black_hole, lose_replies]
        faults += [step_the_clock] * isinstance(place.server, SteppedServer)
    if isinstance(place, Guarded):
        faults += [kill_the_master, freeze_the_master, freeze_a_node]
    if isinstance(place, Clustered):
        faults += [kill_a_node, swap_a_node, reshard, freeze_a_node]
    return faults
