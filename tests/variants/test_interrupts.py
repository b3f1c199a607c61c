"""Signals and forks in a process that uses the synchronous client.

Each test runs a program of its own, because a signal or a fork affects the whole process.
"""

import json
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import redis

from tests.support.faults_tools import Repeatedly, calls
from tests.support.server import RedisServer
from tests.support.topology import wait_until
from tests.support.twins import PATIENCE

PROLOGUE = """
import _thread, json, os, signal, sys, threading, time, warnings
warnings.simplefilter("ignore", DeprecationWarning)  # threads and fork, since 3.12
from pyredisson import Redisson
from pyredisson.codecs import StringCodec

def press():
    time.sleep(0.05)  # the hook has returned: what comes in it is lost
    os.kill(os.getpid(), signal.SIGINT)

def press_again(report):  # what comes in a finalizer Python cannot raise
    if report.exc_type is KeyboardInterrupt:
        _thread.start_new_thread(press, ())  # Thread.start would wait here
    else:
        sys.__unraisablehook__(report)

sys.unraisablehook = press_again
redisson = Redisson.from_url(sys.argv[1], codec=StringCodec())
queue = redisson.get_blocking_queue("q")
assert queue.size() == 0
"""

COLLECT = """
got, interrupts = [], 0
while interrupts < int(sys.argv[2]):
    try:
        os.write(1, b"!")  # asks for the next signal
        while True:
            got.append(queue.take())
    except KeyboardInterrupt:
        interrupts += 1
signal.signal(signal.SIGINT, signal.SIG_IGN)
redisson.close()
print(json.dumps(got))
"""


@contextmanager
def program(text: str, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program after ``PROLOGUE``; kill it when the block ends."""
    command = [sys.executable, "-W", "error::ResourceWarning", "-c", PROLOGUE + text, *arguments]
    with subprocess.Popen(
        command,
        bufsize=0,  # ``read(1)`` takes one byte, and ``communicate`` the rest
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.parametrize("unblock", [True, False], ids=["may unblock", "may not unblock"])
def test_ctrl_c_at_any_moment_loses_nothing(own_server: RedisServer, unblock: bool) -> None:
    """200 interrupts of `take` while elements arrive, and with "may unblock" one while it waits."""
    times, sent, rng = 200, 0, random.Random(3)
    with own_server.client() as admin:

        def send() -> None:
            nonlocal sent
            sent += int(admin.rpush("q", f"{sent}") > 0)

        rights = "+@all" if unblock else "-client|unblock"
        admin.execute_command("ACL", "SETUSER", "user", "on", "nopass", "~*", "+@all", rights)
        url = f"redis://user:x@127.0.0.1:{own_server.port}/0"
        with program(COLLECT, url, f"{times + unblock}") as process:
            assert process.stdout is not None
            assert process.stdout.read(1) == b"!"
            for _ in range(times):  # enough elements, also on a slow machine
                send()
            with Repeatedly(send, pause=0.001):
                for number in range(times):
                    assert number == 0 or process.stdout.read(1) == b"!"
                    time.sleep(rng.random() * 0.005)
                    process.send_signal(signal.SIGINT)
            if unblock:  # at least one interrupt must meet a wait
                assert process.stdout.read(1) == b"!"
                wait_until(lambda: bool(admin.info("clients")["blocked_clients"]), "it waits")
                process.send_signal(signal.SIGINT)
            output, errors = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, errors.decode()
        assert not errors, errors.decode()
        got = json.loads(output)
        left = [value.decode() for value in admin.lrange("q", 0, -1)]
    assert len(got) > 0
    assert Counter(got + left) == Counter(f"{number}" for number in range(sent))
    assert (calls(own_server, "client|unblock") > 0) == unblock


ARRIVED = """
import _thread, functools
from types import SimpleNamespace
from pyredisson._sync.waits.slices import wait_for

class Press:
    __neg__ = functools.partial(_thread.interrupt_main)  # Python looks for signals after calls only

link = SimpleNamespace(reached=True, arrival=lambda command, transit: (not -Press(), "value"))
got = []
try:
    got.append(wait_for(link, lambda seconds: None, None))
except KeyboardInterrupt:
    print(json.dumps(got))
"""


def test_ctrl_c_just_when_an_element_has_arrived(server: RedisServer) -> None:
    """The caller gets the element before Python raises: only returns are between them."""
    with program(ARRIVED, server.url) as process:
        output, errors = process.communicate(timeout=PATIENCE)
    assert (output, errors) == (b'["value"]\n', b"")


def test_ctrl_c_ends_a_program_that_waits(server: RedisServer, raw: redis.Redis) -> None:
    """The program ends at once, not at the end of a slice or in the next slice."""
    with program("os.write(1, b'!')\nqueue.take()", server.url) as process:
        assert process.stdout is not None
        assert process.stdout.read(1) == b"!"
        wait_until(lambda: bool(raw.info("clients")["blocked_clients"] == 1), "it waits")
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == -signal.SIGINT
    assert errors.decode().rstrip().endswith("KeyboardInterrupt")
    wait_until(lambda: bool(raw.info("clients")["blocked_clients"] == 0), "nobody waits")


def test_take_continues_after_the_programs_signal_handler(
    server: RedisServer, raw: redis.Redis
) -> None:
    """The program's SIGINT handler is called. `take` continues if the handler raises nothing."""
    text = """
signal.signal(signal.SIGINT, lambda *_: os.write(1, b"heard;"))
os.write(1, b"!")
print(queue.take())
assert signal.getsignal(signal.SIGINT).__name__ == "<lambda>"
redisson.close()
"""
    with program(text, server.url) as process:
        assert process.stdout is not None
        assert process.stdout.read(1) == b"!"
        wait_until(lambda: bool(raw.info("clients")["blocked_clients"] == 1), "it waits")
        process.send_signal(signal.SIGINT)
        assert process.stdout.read(6) == b"heard;"
        raw.rpush("q", "x")
        output, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, output, errors) == (0, b"x\n", b"")


OFFER = """
delayed = redisson.get_delayed_queue(queue, transfer=False)
receipts, interrupts = [delayed.offer("first", delay=3600)], 0
while interrupts < int(sys.argv[2]):
    asked = False
    try:
        while True:
            receipts.append(delayed.offer(str(len(receipts)), delay=3600))
            assert delayed.contains(str(len(receipts) - 1)) is True
            if not asked:
                asked = True
                os.write(1, b"!")  # asks for the next signal
    except KeyboardInterrupt:
        interrupts += 1
signal.signal(signal.SIGINT, signal.SIG_IGN)
assert len(receipts) > interrupts
assert all(delayed.cancel(each) for each in receipts)
assert delayed.size() <= interrupts
redisson.close()
"""


def test_ctrl_c_into_offers_leaves_each_reply_to_its_request(
    server: RedisServer, raw: redis.Redis
) -> None:
    """After 100 interrupts each returned offer is stored, and each interrupted one at most once."""
    times, rng = 100, random.Random(4)
    with program(OFFER, server.url, f"{times}") as process:
        assert process.stdout is not None
        for _ in range(times):
            assert process.stdout.read(1) == b"!"
            time.sleep(rng.random() * 0.005)
            process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    # stderr is not checked: Python warns of a socket that an interrupt between two lines left open
    assert process.returncode == 0, errors.decode()


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no setitimer")
def test_ctrl_c_while_a_command_is_encoded(server: RedisServer) -> None:
    """Ctrl-C ends the command, and not the Python process."""
    text = """
from pyredisson._transport.connections import packed

signal.signal(signal.SIGALRM, signal.default_int_handler)
words, interrupts = ("X", *range(100_000)), 0
for number in range(40):
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.0005 * (number + 1))
        packed(words)
        signal.setitimer(signal.ITIMER_REAL, 0)
    except KeyboardInterrupt:
        interrupts += 1
assert interrupts > 0
redisson.close()
"""
    with program(text, server.url) as process:
        _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors.decode()) == (0, "")


needs_fork = pytest.mark.skipif(not hasattr(signal, "SIGCHLD"), reason="fork is POSIX's")


@needs_fork
def test_a_forked_child_transfers_by_itself(server: RedisServer, raw: redis.Redis) -> None:
    """The child's first operation starts its own threads and connections. Its parent has ended."""
    text = """
delayed = redisson.get_delayed_queue(queue)
delayed.offer("first", delay=0)
assert queue.take() == "first"
parent = os.getpid()
if os.fork() != 0:
    os._exit(0)
while os.getppid() == parent:
    time.sleep(0.01)
runs = redisson.transfer_stats()[0].runs
delayed.offer("second", delay=0.3)
assert queue.poll(timeout=60) == "second"
while not redisson.transfer_stats()[0].subscribed or redisson.transfer_stats()[0].runs == runs:
    time.sleep(0.01)
redisson.close()
print(sorted(thread.name for thread in threading.enumerate()))
"""
    with program(text, server.url) as process:
        output, errors = process.communicate(timeout=60)  # the pipe ends with the child
    assert (output, errors.decode()) == (b"['MainThread']\n", "")
    assert raw.llen("q") == 0


@needs_fork
def test_forked_child_that_only_offers_also_transfers(server: RedisServer) -> None:
    """This also holds if its first offer asks for the time, and so opens the connection."""
    text = """
delayed = redisson.get_delayed_queue(queue)
delayed.offer("first", delay=0)
redisson._context.link.topology.known("q").clock.invalidate()  # as after some seconds
child = os.fork()
if child == 0:
    signal.alarm(20)
    runs = redisson.transfer_stats()[0].runs
    delayed.offer("second", delay=0)
    while redisson.transfer_stats()[0].runs == runs:
        time.sleep(0.01)
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
redisson.close()
"""
    with program(text, server.url) as process:
        _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors.decode()) == (0, "")


@needs_fork
def test_forks_of_a_busy_program(server: RedisServer, raw: redis.Redis) -> None:
    """Each child works, whatever the parent's threads were doing. The parent is not disturbed."""
    text = """
delayed = redisson.get_delayed_queue(queue)
delayed.offer("first", delay=0)
assert queue.take() == "first"
def offer():
    for number in range(1000):
        delayed.offer("thread", delay=0.01)
thread = threading.Thread(target=offer)
thread.start()
children = []
for number in range(20):
    child = os.fork()
    if child == 0:
        signal.alarm(30)
        delayed.offer("child", delay=0.01)
        os._exit(0 if redisson.transfer_stats()[0].handles == 1 else 1)
    children.append(child)
codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
assert codes == [0] * 20, codes
thread.join()
got = [queue.poll(timeout=60) for _ in range(1020)]
assert got.count("thread") == 1000 and got.count("child") == 20
redisson.close()
"""
    with program(text, server.url) as process:
        _, errors = process.communicate(timeout=90)
    assert (process.returncode, errors.decode()) == (0, "")
    assert raw.keys() == []


@needs_fork
def test_forked_child_works_although_a_lock_was_held_at_the_fork(server: RedisServer) -> None:
    """The thread that held the lock does not exist in the child. The child works nevertheless."""
    text = """
delayed = redisson.get_delayed_queue(queue)
delayed.offer("first", delay=0)
assert queue.take() == "first"
background = redisson._context.background
(task,) = background.work.values()
with background._lock.held, task._lock.held:
    child = os.fork()
    if child == 0:
        signal.alarm(30)
        redisson.get_delayed_queue(queue)
        delayed.offer("second", delay=0)
        os._exit(0 if queue.poll(timeout=20) == "second" else 1)
assert os.waitpid(child, 0)[1] == 0
redisson.close()
"""
    with program(text, server.url) as process:
        _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors.decode()) == (0, "")
