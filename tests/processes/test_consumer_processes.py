"""A consumer in a process: Ctrl-C at any moment, and fork.

Fetched messages belong to the process that fetched them.
"""

import json
import random
import signal
import time
from collections import Counter
from typing import Any

import pytest
import redis

from pyredisson.protocol.kernel.names import ConsumerNames
from tests.support.consuming import held, texts
from tests.support.server import RedisServer
from tests.support.state import keys
from tests.support.topology import RedisCluster
from tests.support.twins import PATIENCE
from tests.variants.test_interrupts import needs_fork, program

COLLECT = """
source = redisson.get_sharded_queue("q", 2, transfer=False) if sys.argv[3] != "q" else queue
consumer = redisson.get_consumer(source, prefetch=30, transfer=False)
for each in getattr(consumer, "consumers", [consumer]):
    each._ahead = 0  # each take has to renew
got, interrupts = [], 0
while interrupts < int(sys.argv[2]):
    try:
        os.write(1, b"!")  # asks for the next signal
        while True:
            got += consumer.take_many(2)
    except KeyboardInterrupt:
        interrupts += 1
signal.signal(signal.SIGINT, signal.SIG_IGN)
redisson.close()
print(json.dumps([(message.value, message.attempt) for message in got]))
"""


@pytest.mark.parametrize("names", [["q"], ["q:00", "q:10"]], ids=["one queue", "shards"])
def test_ctrl_c_at_any_moment_forgets_nothing(
    server: RedisServer, raw: redis.Redis, names: list[str]
) -> None:
    """100 interrupts of renewals, waits and reads; `close` releases the messages not taken."""
    times, sent, rng = 100, 0, random.Random(5)
    with program(COLLECT, server.url, f"{times}", names[0]) as process:
        assert process.stdout is not None
        for _ in range(times):
            assert process.stdout.read(1) == b"!"
            raw.rpush(names[sent // 100 % len(names)], *range(sent, sent + 100))
            sent += 100
            time.sleep(rng.random() * 0.005)
            process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=PATIENCE)
    # stderr is not checked: Python warns of a socket that an interrupt between two lines left open
    assert process.returncode == 0, errors.decode()
    got = json.loads(output)
    leased = sum(raw.zcard(ConsumerNames.of(name).leases) for name in names)
    assert leased == len(got) > times // 10
    assert {attempt for _, attempt in got} == {1}
    left = [value for name in names for value in texts(raw, name)]
    assert Counter([value for value, _ in got] + left) == Counter(map(str, range(sent)))


# -------------------------------------------------------------- fork

FORK = """
redisson.get_queue({name!r}).add_all(map(str, range({count})))
consumer = redisson.get_consumer({source}, prefetch=5, transfer=False)
first = consumer.take()
child = os.fork()
if child == 0:
    signal.alarm(20)
    {body}
    redisson.close()
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
rest = [consumer.take() for _ in range(4)]
print(json.dumps([message.value for message in (first, *rest)]))
assert all(consumer.ack_many([first, *rest])), "they are the parent's"
redisson.close()
"""


def forked(
    server: RedisServer,
    body: str,
    *,
    count: int = 5,
    name: str = "q",
    source: str = "queue",
    before: str = "",
) -> list[Any]:
    """Return the values that a parent takes of `count`, while its child runs `body`."""
    lines = "\n    ".join(body.splitlines())
    text = before + FORK.format(source=source, body=lines, name=name, count=count)
    with program(text, server.url) as process:
        output, errors = process.communicate(timeout=60)
    assert (process.returncode, errors.decode()) == (0, "")
    return list(json.loads(output))


@needs_fork
def test_child_takes_its_own_messages(server: RedisServer, raw: redis.Redis) -> None:
    body = """\
found = [consumer.take().value for _ in range(3)]
assert found == ["5", "6", "7"], found
consumer.close()  # two of five go back
"""
    assert forked(server, body, count=10) == ["0", "1", "2", "3", "4"]
    assert texts(raw) == ["8", "9"]
    assert len(held(raw)) == 3, "what the child was handed"


@needs_fork
@pytest.mark.parametrize(
    "leaves", ["with consumer:\n    pass", "consumer.close()\nconsumer.close()", ""]
)
def test_child_releases_no_message_of_its_parent(
    server: RedisServer, raw: redis.Redis, leaves: str
) -> None:
    assert forked(server, leaves) == ["0", "1", "2", "3", "4"]
    assert keys(raw) == []


@needs_fork
def test_child_takes_its_own_messages_of_all_shards(server: RedisServer, raw: redis.Redis) -> None:
    body = "assert [m.value for m in consumer.take_many(9)] == ['5']\nconsumer.close()"
    before = "orders = redisson.get_sharded_queue('o', 2, transfer=False)\n"
    found = forked(server, body, count=6, name="o:00", source="orders", before=before)
    assert found == ["0", "1", "2", "3", "4"]
    assert raw.llen("o:00") == 0


@needs_fork
def test_child_releases_no_group_of_its_parent(server: RedisServer, raw: redis.Redis) -> None:
    before = """
window = redisson.get_group_window(queue, size=2, max_wait=3600, transfer=False)
for number in range(10):
    window.offer("k", str(number))
json.JSONEncoder.default = lambda self, group: group.values
"""
    body = "assert consumer.poll() is None\nconsumer.close()"
    groups = [[f"{number}", f"{number + 1}"] for number in range(0, 10, 2)]
    assert forked(server, body, count=0, source="window", before=before) == groups
    assert keys(raw) == []


WAITS = {
    "consumer": """
consumer = redisson.get_consumer(queue, prefetch=5, transfer=False)
assert consumer.poll() is None
run = lambda: [got.append(consumer.take().value) for _ in range(2)]
""",
    "worker": """
from pyredisson import Worker
worker = Worker(redisson, queue, got.append)
run = worker.run
""",
    "subscription": """
subscription = queue.subscribe_on_elements(got.append)
run = lambda: None
""",
}


@needs_fork
@pytest.mark.parametrize("who", WAITS)
def test_closing_child_does_not_end_its_parents_wait(
    server: RedisServer, raw: redis.Redis, who: str
) -> None:
    """The wait belongs to the parent. The child neither ends it nor waits for its end."""
    text = f"""
import redis
raw, got = redis.Redis.from_url(sys.argv[1]), []
{WAITS[who]}
thread = threading.Thread(target=run)
thread.start()
while raw.info("clients")["blocked_clients"] != 1:
    time.sleep(0.01)
raw.config_resetstat()
child = os.fork()
if child == 0:
    signal.alarm(20)
    begun = time.monotonic()
    redisson.close()
    os._exit(time.monotonic() - begun > 1)
assert os.waitpid(child, 0)[1] == 0
assert "cmdstat_client|unblock" not in raw.info("commandstats")
raw.rpush("q", "a", "b")
while len(got) < 2:
    time.sleep(0.01)
assert got == ["a", "b"]
if "worker" in globals():
    worker.stop()
thread.join()
redisson.close()
"""
    with program(text, server.url) as process:
        _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors.decode()) == (0, "")


@needs_fork
def test_child_asks_a_node_that_its_parent_leaves_alone(
    server: RedisServer, cluster: RedisCluster
) -> None:
    """Only a thread of the parent finds out that the node answers again."""
    text = """
from redis import RedisCluster
client = RedisCluster.from_url(sys.argv[2])
others = Redisson(client, codec=StringCodec(), response_timeout=0.5)
orders = others.get_sharded_queue("orders", 8, transfer=False)
orders.queues[0].add("a")
consumer, frozen = others.get_consumer(orders, transfer=False), int(sys.argv[3])
os.kill(frozen, signal.SIGSTOP)
while not others._context.link.probes:
    assert consumer.poll() is None
child = os.fork()
if child == 0:
    signal.alarm(20)
    os.kill(frozen, signal.SIGCONT)
    while (message := consumer.poll(1)) is None:
        pass
    os._exit(message.value != "a")
status = os.waitpid(child, 0)[1]
os.kill(frozen, signal.SIGCONT)
assert status == 0
others.close()
client.close()
redisson.close()
"""
    for each in cluster.servers:
        each.run("CONFIG", "SET", "cluster-require-full-coverage", "no")
    frozen = cluster.master_of(b"orders:00")
    with program(text, server.url, cluster.url, f"{frozen._running().pid}") as process:
        _, errors = process.communicate(timeout=60)
    frozen.resume()
    assert process.returncode == 0, errors.decode()
