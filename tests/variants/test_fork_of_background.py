"""Background work at a fork: some of it continues in the child, the rest stays with the parent."""

import os

import pytest

from tests.support.server import RedisServer
from tests.variants.test_sync_only import run

PROGRAM = """
import os, time, warnings
warnings.simplefilter("ignore", DeprecationWarning)  # threads and fork, since 3.12
from pyredisson import Redisson
from pyredisson._sync.background.interfaces import ChannelListener, PeriodicJob
from pyredisson.codecs import StringCodec

class Job(PeriodicJob):
    key, runs, last = "k", [], 0.0
    def wait_seconds(self):
        return max(self.last + 0.01 - time.monotonic(), 0.0)
    def run(self, link):
        self.last = time.monotonic()
        self.runs.append(os.getpid())

class Owned(Job):
    inherited, runs = False, []

class Listener(ChannelListener):
    channels, heard = ("c",), []
    def on_subscribed(self, channel):
        self.heard.append(os.getpid())

def until(condition):
    for _ in range(3000):
        if condition():
            return
        time.sleep(0.01)
    raise TimeoutError(str(os.getpid()))

redisson = Redisson.from_url(url, codec=StringCodec())
background, identity = redisson._context.background, redisson._context.identity
for key, kind in (("job", Job), ("owned", Owned), ("listener", Listener)):
    background.acquire(key, kind)
before = identity.owner()

def goes_on(*kinds):
    for kind in kinds:
        seen = kind.heard if kind is Listener else kind.runs
        until(lambda: os.getpid() in seen)

goes_on(Job, Owned, Listener)
child = os.fork()
if child == 0:
    warnings.simplefilter("ignore")
    try:
        START
        goes_on(Job, Listener)
        time.sleep(0.1)
        assert os.getpid() not in Owned.runs
        assert (background.users("owned"), background.users("job")) == (0, 1)
        background.release("owned")  # whoever unlocks here, too
        assert identity.owner() != before
        os._exit(0)
    finally:
        os._exit(1)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
assert identity.owner() == before
runs = len(Owned.runs)
until(lambda: len(Owned.runs) > runs)
redisson.close()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
@pytest.mark.parametrize(
    "start",
    [
        'redisson.get_bucket("b").get()',
        'redisson.get_queue("q").size()',
        'redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False).offer("a", 1)',
        'background.acquire("more", Job)',
    ],
    ids=["bucket", "queue", "offer", "job"],
)
def test_first_operation_of_a_child_starts_inherited_work(server: RedisServer, start: str) -> None:
    run(PROGRAM.replace("START", start), server)


LISTENING = """
import os, time, warnings
import redis
warnings.simplefilter("ignore", DeprecationWarning)  # threads and fork, since 3.12
from pyredisson import Redisson
from pyredisson._sync.background.interfaces import ChannelListener
from pyredisson.codecs import StringCodec

raw = redis.Redis.from_url(url)
subscribed = []

class Listener(ChannelListener):
    channels = ("c",)
    def on_subscribed(self, channel):
        subscribed.append(raw.pubsub_numsub("c")[0][1])

redisson = Redisson.from_url(url, codec=StringCodec())
background = redisson._context.background
background.acquire("first", Listener)
while not subscribed:
    time.sleep(0.01)
subscribed.clear()
child = os.fork()
if child == 0:
    warnings.simplefilter("ignore")
    try:
        raw = redis.Redis.from_url(url)
        background.acquire("second", Listener)
        while len(subscribed) < 2:
            time.sleep(0.01)
        os._exit(subscribed.count(1))
    finally:
        os._exit(100)
code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
assert code == 0, f"{code} of two were told of their parent's subscription"
redisson.close()
raw.close()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_child_subscribes_its_own_listeners(server: RedisServer) -> None:
    run(LISTENING, server)
