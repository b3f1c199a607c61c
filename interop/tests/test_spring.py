"""Spring Boot services and Python exchange tasks of an application's class.

The schema command makes the classes from the service's jar; the client gets only the release.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from interop.peer.build import UnavailableError
from interop.peer.spring_service import SPRING, SpringService, service_jar
from interop.tests.support.spring_tasks import task
from pyredisson import Redisson
from pyredisson.cli import main as cli
from pyredisson.codecs import Codec, JsonJacksonCodec, Kryo5Codec
from tests.support.services import unavailable

COUNT = 200
Make = Callable[[ModuleType], Codec[object]]
SERVICES: list[tuple[str, str, Make]] = [
    *((release, "", lambda tasks: Kryo5Codec(schemas=tasks)) for release in SPRING),
    *(
        (release, "json", lambda tasks: JsonJacksonCodec(schemas=tasks, java_time="arrays"))
        for release in SPRING
    ),
]


@pytest.fixture(params=SERVICES, ids=[" ".join(each[:2]).strip() for each in SERVICES])
def service(
    request: pytest.FixtureRequest, url: str, tmp_path: Path
) -> Iterator[tuple[str, SpringService, ModuleType, Codec[object]]]:
    """A running service, the classes that its jar has, and the codec for them."""
    release, profile, make = request.param
    try:
        jar = service_jar(release)
        spring = SpringService(jar, url, [profile] if profile else [])
    except UnavailableError as error:
        unavailable(f"no Spring service: {error}")
    with spring:
        tasks = _classes(jar, tmp_path / "tasks.py")
        yield release, spring, tasks, make(tasks)
        del sys.modules["tasks"]


def _classes(jar: Path, target: Path) -> ModuleType:
    """Run the command as docs/schemas.md shows it, and import what it wrote."""
    assert cli.main(["schema", str(jar), "com.example.orders.OrderTask", "-o", str(target)]) == 0
    spec = importlib.util.spec_from_file_location("tasks", target)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["tasks"] = module
    spec.loader.exec_module(module)
    return module


def test_tasks_of_a_spring_service(
    service: tuple[str, SpringService, ModuleType, Codec[object]], url: str
) -> None:
    """Each side removes by value, and takes, what the other offered."""
    release, spring, tasks, codec = service
    expected = [task(tasks, n) for n in range(COUNT)]
    with Redisson.from_url(url, release=release) as redisson:
        queue = redisson.get_blocking_queue("orders", codec=codec)
        delayed = redisson.get_delayed_queue(queue)

        assert spring.ask("offer", "orders", COUNT) == f"offer {COUNT}"
        assert delayed.read_all() == expected
        assert [n for n in range(COUNT) if not delayed.remove(expected[n])] == []

        for each in expected:
            delayed.offer(each, delay=3600)
        assert spring.ask("remove", "orders", COUNT) == f"remove {COUNT}"
        assert delayed.size() == 0

        assert spring.ask("offer-now", "orders", COUNT) == f"offer-now {COUNT}"
        assert [queue.poll(timeout=30) for _ in range(COUNT)] == expected

        for n, each in enumerate(expected):
            delayed.offer(each, delay=n / 200)
        assert spring.ask("take", "orders", COUNT) == f"take {COUNT}"
        assert (queue.size(), delayed.size()) == (0, 0)
