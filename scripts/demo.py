"""Demo: offers delayed orders, and takes each when it is due.

    python scripts/demo.py [--url redis://...] [--java | --kill]

With --kill, a worker is killed while it handles an order, and the next worker handles that order.
With --java, a real Java Redisson takes the first half of the orders and offers the second half, on
the same Redis.
"""

from __future__ import annotations

import argparse
import contextlib
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from pyredisson import BlockingQueue, Redisson
from pyredisson.codecs import StringCodec
from pyredisson.embedded import EmbeddedServer

ORDERS = [("order-1", 3.0), ("order-2", 0.5), ("order-3", 1.5), ("order-4", 0.2), ("order-5", 2.2)]


@contextlib.contextmanager
def server(url: str | None) -> Iterator[str]:
    """Yield the URL of a server."""
    if url is not None:
        yield url
        return
    with EmbeddedServer() as embedded:
        print(f"Started an embedded server: {embedded.url}")
        yield embedded.url


def show(who: str, take: Callable[[], Any], due: dict[str, float]) -> list[float]:
    """Take all orders; print and return how late each was, in milliseconds."""
    lateness = []
    for _ in range(len(due)):
        order = take()
        late = (time.monotonic() - due[order]) * 1000
        lateness.append(late)
        print(f"  {who} took {order}   {late:6.1f} ms after it was due")
    return lateness


def offer_all(who: str, offer: Callable[[str, float], Any]) -> dict[str, float]:
    """Offer all orders; return when each is due, by this process's monotonic clock."""
    due = {}
    for order, delay in ORDERS:
        due[order] = time.monotonic() + delay
        offer(order, delay)
        print(f"  {who} offered {order}, due in {delay} s")
    return due


def python_only(orders: BlockingQueue[str], redisson: Redisson) -> list[float]:
    """Offer and take with Python; return how late each order was, in milliseconds."""
    delayed = redisson.get_delayed_queue(orders)
    due = offer_all("Python", lambda order, delay: delayed.offer(order, delay=delay))
    print(f"{len(delayed)} orders are pending in Redis.")
    return show("Python", orders.take, due)


def both_ways(orders: BlockingQueue[str], redisson: Redisson, java: Any) -> list[float]:
    """Offer with Python and take with Java, then the reverse; return how late each order was."""
    java_delayed = java.delayed_queue(orders.name, codec="String").open()
    java_orders = java.blocking_queue(orders.name, codec="String")
    delayed = redisson.get_delayed_queue(orders, transfer=False)

    print("Python offers, Java transfers due orders and takes them:")
    due = offer_all("Python", lambda order, delay: delayed.offer(order, delay=delay))
    lateness = show("Java  ", lambda: java_orders.call("take"), due)

    java_delayed.destroy()
    redisson.get_delayed_queue(orders)
    print("Java offers, Python transfers due orders and takes them:")
    due = offer_all(
        "Java",
        lambda order, delay: java_delayed.call("offer", order, int(delay * 1000), "MILLISECONDS"),
    )
    java_delayed.destroy()
    return lateness + show("Python", orders.take, due)


def with_java(orders: BlockingQueue[str], redisson: Redisson, url: str) -> list[float]:
    """Start Java and run both directions; return how late each order was."""
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    from interop.peer import JavaPeer, UnavailableError  # noqa: PLC0415 - for --java only

    print("Starting Java (the first start builds it, which takes a minute or two) ...")
    try:
        with JavaPeer() as peer, peer.client(url) as java:
            print(f"Redisson {peer.info['redisson']} on Java {peer.info['java']}, {peer.runs_as}")
            return both_ways(orders, redisson, java)
    except UnavailableError as error:
        raise SystemExit(
            f"{error}\nJava did not start. PYREDISSON_JAVA=jvm needs a JDK with Maven, "
            "PYREDISSON_JAVA=container a container engine."
        ) from None


WORKER = """
import sys, time
from pyredisson import Redisson, Worker
from pyredisson.codecs import StringCodec

def handle(message):
    print(f"{message.value}, attempt {message.attempt}", flush=True)
    time.sleep(float(sys.argv[2]))

with Redisson.from_url(sys.argv[1]) as redisson:
    orders = redisson.get_blocking_queue("pyredisson-demo-orders", codec=StringCodec())
    sys.exit(Worker(redisson, orders, handle, lease=2, pass_message=True).run())
"""


@contextlib.contextmanager
def worker(url: str, seconds: float) -> Iterator[subprocess.Popen[str]]:
    """Run a worker that handles each order for some seconds."""
    words = [sys.executable, "-c", WORKER, url, str(seconds)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def killed(orders: BlockingQueue[str], url: str) -> None:
    """Kill a worker while it handles an order, and start another one."""
    orders.add("order-1")
    print("The queue has order-1. The first worker starts:")
    with worker(url, 3600) as first:
        print(f"  worker 1 handles {(first.stdout or sys.stdin).readline().strip()}")
        first.kill()
        print("  worker 1 was killed (kill -9) while it handled the order")
    began = time.monotonic()
    with worker(url, 0.1) as second:
        print("The queue is empty. A second worker starts, and the lease of the first one ends:")
        print(f"  worker 2 handles {(second.stdout or sys.stdin).readline().strip()}")
        print(f"  after {time.monotonic() - began:.1f} s")
        second.terminate()
        code = second.wait()
    print(f"  worker 2 received SIGTERM, finished the order, and exited with code {code}")
    print(f"Done: the queue has {orders.size()} orders left.")


def main() -> None:
    """Run the demo."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--url", help="your own Redis or Valkey server")
    parser.add_argument("--java", action="store_true", help="with a real Java Redisson")
    parser.add_argument("--kill", action="store_true", help="kill a worker that handles an order")
    arguments = parser.parse_args()
    with server(arguments.url) as url, Redisson.from_url(url) as redisson:
        orders = redisson.get_blocking_queue("pyredisson-demo-orders", codec=StringCodec())
        if arguments.kill:
            killed(orders, url)
            return
        if arguments.java:
            lateness = with_java(orders, redisson, url)
        else:
            lateness = python_only(orders, redisson)
    early = sum(late <= -1 for late in lateness)  # due times are whole milliseconds
    print(f"Done: {len(lateness)} orders arrived, {early or 'none'} of them early.")


if __name__ == "__main__":
    main()
