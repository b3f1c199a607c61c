"""Many processes keep a schedule running, while each is killed at any moment."""

import os
import random
import signal
import subprocess
import sys
import time
from typing import Any

from pyredisson import Redisson
from pyredisson.codecs import StringCodec
from tests.support.server import RedisServer
from tests.support.state import unpack
from tests.support.twins import until

SET = "redisson_delay_queue_timeout:{q}"
PROCESSES = 8
ENTRIES = {f"e{number}": 200 + 40 * number for number in range(20)}
"""Milliseconds between two occurrences: from 200 to 960."""

KEEPERS = """
import os, signal, sys, time
from pyredisson import Redisson
from pyredisson.codecs import StringCodec

signal.signal(signal.SIGCHLD, signal.SIG_IGN)
parent = os.getpid()

def keep():
    redisson = Redisson.from_url(sys.argv[1], codec=StringCodec(), safety_interval=1)
    queue = redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)
    schedule = redisson.get_schedule(queue)
    for name, every in eval(sys.argv[2]).items():
        schedule.add(name, name, every=every / 1000, missed="all")
    while os.getppid() == parent:
        time.sleep(0.1)
    os._exit(0)

for _ in sys.stdin:
    child = os.fork()
    if child == 0:
        keep()
    print(child, flush=True)
"""


class Farm:
    """Starts processes, each forked from one that has imported everything."""

    def __init__(self, url: str) -> None:
        words = [sys.executable, "-c", KEEPERS, url, repr(ENTRIES)]
        self._process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._input, self._output = self._process.stdin, self._process.stdout
        self.pids = [self._start() for _ in range(PROCESSES)]

    def _start(self) -> int:
        assert self._input is not None
        assert self._output is not None
        self._input.write("\n")
        self._input.flush()
        return int(self._output.readline())

    def kill(self, number: int, pause: float) -> None:
        """Kill one process, and start another one in its place after a pause."""
        os.kill(self.pids[number], signal.SIGKILL)
        time.sleep(pause)
        self.pids[number] = self._start()

    def end(self) -> None:
        for pid in self.pids:
            os.kill(pid, signal.SIGKILL)
        self._process.communicate()


def test_each_occurrence_is_offered_once(server: RedisServer, raw: Any) -> None:
    """No occurrence is missing or stored twice, whichever process was killed while it looked."""
    chance, killed = random.Random(), 0
    farm = Farm(server.url)
    try:
        until(lambda: raw.hlen("pyredisson_schedule:{q}") == len(ENTRIES), "all are added")
        while raw.zcard(SET) < 120 or killed <= PROCESSES:
            farm.kill(chance.randrange(PROCESSES), chance.uniform(0, 0.1))
            killed += 1
    finally:
        farm.end()
    times: dict[str, list[float]] = {name: [] for name in ENTRIES}
    for entry, score in raw.zrange(SET, 0, -1, withscores=True):
        times[unpack(entry).decode()].append(score)
    last = dict(raw.zrange("pyredisson_schedule_times:{q}", 0, -1, withscores=True))
    for name, every in ENTRIES.items():
        first, end = int(times[name][0]), int(last[name.encode()])
        assert times[name] == list(range(first, end + 1, every)), name
    with Redisson.from_url(server.url, codec=StringCodec()) as redisson:
        queue = redisson.get_queue("q")
        redisson.get_delayed_queue(queue)
        until(lambda: queue.size() == sum(map(len, times.values())), "each is delivered")
