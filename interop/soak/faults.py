"""The faults: each a function that does harm to the stage and makes it good again."""

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
    """Kill -9; another one takes its place."""
    stage.replace(stage.chance.choice(("worker", "async_worker", "consumer", "forker", "ticker")))


def kill_a_producer(stage: Stage) -> None:
    """Kill -9; another one takes its place."""
    stage.replace("producer")


def kill_a_transferrer(stage: Stage) -> None:
    """Kill -9; another one takes its place."""
    stage.replace("transferrer")


def freeze_a_process(stage: Stage) -> None:
    """SIGSTOP, for shorter or longer than a lease: its connections are half open meanwhile."""
    actor = stage.one_of(stage.chance.choice(list(stage.cast)))
    actor.send_signal(signal.SIGSTOP)
    time.sleep(stage.chance.uniform(0.2, 4.0))
    actor.send_signal(signal.SIGCONT)


# ------------------------------------------------------------------ any server


def cut_connections(stage: Stage) -> None:
    """CLIENT KILL of all, a few times."""
    for _attempt in range(3):
        for server in stage.place.masters:
            for kind in ("normal", "pubsub"):
                with contextlib.suppress(redis.RedisError):
                    server.run("CLIENT", "KILL", "TYPE", kind)
        time.sleep(0.05)


def forget_scripts(stage: Stage) -> None:
    """SCRIPT FLUSH."""
    for server in stage.place.masters:
        server.run("SCRIPT", "FLUSH")


def fill_the_memory(stage: Stage) -> None:
    """No memory is left, and nothing may be evicted."""
    masters = stage.place.masters
    for server in masters:
        server.run("CONFIG", "SET", "maxmemory", 1)
    time.sleep(0.5)
    for server in masters:
        server.run("CONFIG", "SET", "maxmemory", 0)


def keep_it_busy(stage: Stage) -> None:
    """A script of somebody else's that takes long: BUSY."""
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
    """Redisson's transfer is refused before its ZREM, as in a queue of both formats.

    What it has moved is pending as well, so it comes twice, as an item that was offered again.
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
    """Kill -9; it comes back with its append-only file."""
    (server,) = stage.place.servers
    server.kill()
    time.sleep(stage.chance.uniform(0, 1.0))
    server.start()


def freeze_the_server(stage: Stage) -> None:
    """SIGSTOP, for shorter or longer than clients wait for a reply."""
    (server,) = stage.place.servers
    server.pause()
    time.sleep(stage.chance.uniform(0.2, 3.0))
    server.resume()


def step_the_clock(stage: Stage) -> None:
    """The server's clock is set forward or back by more than a lease, and right again."""
    (server,) = stage.place.servers
    assert isinstance(server, SteppedServer)
    server.step(stage.chance.choice((-1, 1)) * stage.chance.uniform(2, 6))
    time.sleep(stage.chance.uniform(0.5, 2))
    server.step(0)


def black_hole(stage: Stage) -> None:
    """The network swallows all, without a word; then the connections end."""
    assert isinstance(stage.place, Single)
    proxy = stage.place.proxy
    proxy.black_hole()
    time.sleep(stage.chance.uniform(0.2, 4.0))
    proxy.heal(cut=True)


def lose_replies(stage: Stage) -> None:
    """What is asked is done, and the reply does not come."""
    assert isinstance(stage.place, Single)
    stage.place.proxy.drop_replies(stage.chance.randint(1, 50))
    time.sleep(stage.chance.uniform(0.2, 1))
    stage.place.proxy.heal()


# ------------------------------------------------------------------ promotions


def kill_the_master(stage: Stage) -> None:
    """Kill -9: the Sentinels promote its replica; it comes back as one."""
    assert isinstance(stage.place, Guarded)
    group = stage.place.group
    old = group.master
    with held(old, group.servers):
        new = group.kill_master()
        old.arguments += ("--replicaof", "127.0.0.1", f"{new.port}")
        old.start()


def freeze_the_master(stage: Stage) -> None:
    """SIGSTOP until its replica is promoted; it wakes up, with what was sent to it meanwhile."""
    assert isinstance(stage.place, Guarded)
    group = stage.place.group
    old = group.master
    with held(old, group.servers):
        old.pause()
        wait_until(lambda: group.master is not old, "the Sentinels choose another master")
        new = group.master
        old.resume()
        time.sleep(stage.chance.uniform(0, 1.0))
        old.run("REPLICAOF", "127.0.0.1", new.port)  # the Sentinels would, later


def kill_a_node(stage: Stage) -> None:
    """Kill -9 of a master of a cluster: its replica takes over; it comes back as one."""
    cluster, key = _cluster(stage)
    old = cluster.master_of(key)
    with held(old, cluster.alive):
        cluster.kill_master_of(key)
        old.start()


def freeze_a_node(stage: Stage) -> None:
    """SIGSTOP of a master, for less than it takes to replace it: the others go on."""
    server = stage.chance.choice(stage.place.masters)
    server.pause()
    time.sleep(stage.chance.uniform(0.2, 2.2))
    server.resume()


def swap_a_node(stage: Stage) -> None:
    """A planned failover, which Redis makes without loss."""
    cluster, key = _cluster(stage)
    cluster.failover(key)


def reshard(stage: Stage) -> None:
    """The slot of a queue moves to another node, key by key."""
    cluster, key = _cluster(stage)
    source = cluster.master_of(key)
    target = stage.chance.choice([each for each in stage.place.masters if each is not source])
    cluster.begin_move(key, target)
    time.sleep(stage.chance.uniform(0, 1.0))
    cluster.finish_move(key, target)


def _cluster(stage: Stage) -> tuple[RedisCluster, bytes]:
    """Return the cluster, and a queue of which to torment the node."""
    assert isinstance(stage.place, Clustered)
    return stage.place.cluster, stage.chance.choice(QUEUES).encode()


PROMOTIONS: list[Fault] = [kill_the_master, freeze_the_master, kill_a_node, swap_a_node]
"""After these another server is the master."""


def faults_of(place: Place) -> list[Fault]:
    """Return what can be done to a place."""
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
