"""Java services on the default codec of each era exchange tasks of a Java class with Python.

The schema command makes the schemas from the service's own jar; the Java side names no codec. The
rule: Python writes the same bytes as Java, so each side removes by value what the other offered.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from interop.peer import Java, JavaClient
from interop.peer.build import UnavailableError, jars
from interop.tests.support.jobs import job
from pyredisson import Redisson
from pyredisson.cli import main as cli
from pyredisson.codecs import Codec, FstCodec, Kryo5Codec, MarshallingCodec
from tests.support.services import unavailable

CLASS = "com.example.OrderTask"
KRYO: list[str] = ["3.19.3", "3.27.2", "3.52.0", "4.7.0"]
OLD: list[tuple[str, type[Codec[Any]]]] = [
    ("3.12.5", FstCodec),
    ("3.17.7", MarshallingCodec),
    ("3.18.1", MarshallingCodec),
]
TASKS = 40
Clients = Callable[..., JavaClient]


def schemas(release: str, folder: Path, name: str) -> ModuleType:
    """Make the Python classes from the service's jar and import them."""
    try:
        (jar,) = jars(release).glob("interop-peer*.jar")
    except UnavailableError as error:
        unavailable(f"no Java peer: {error}")
    target = folder / "tasks.py"
    assert cli.main(["schema", str(jar), name, "-o", str(target)]) == 0
    spec = importlib.util.spec_from_file_location("tasks", target)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["tasks"] = module
    spec.loader.exec_module(module)
    return module


def task(number: int) -> dict[str, Any]:
    """Return the fields of a task."""
    return {"orderId": f"größe-{number}", "action": "pay", "createdAt": 1_700_000_000_000 + number}


@pytest.mark.parametrize("release", KRYO)
def test_tasks_of_an_era(release: str, java_client: Clients, url: str, tmp_path: Path) -> None:
    """Java offers and Python takes. Then Python offers, and Java finds the task by value."""
    module = schemas(release, tmp_path, CLASS)
    java = java_client(release)
    delayed = java.delayed_queue("tasks", codec="Kryo5")
    for number in range(3):
        delayed.call("offer", Java("pojo", task(number), CLASS), 50 * number, "MILLISECONDS")
    codec = Kryo5Codec(schemas=module, release=release)
    with Redisson.from_url(url, codec=codec, wire_format=release) as redisson:
        queue = redisson.get_blocking_queue("tasks")
        ours = redisson.get_delayed_queue(queue)
        taken = [queue.poll(timeout=20) for _ in range(3)]
        assert taken == [module.OrderTask(**task(number)) for number in range(3)]
        ours.offer(module.OrderTask(**task(7)), delay=3600)
        assert delayed.call("contains", Java("pojo", task(7), CLASS)) is True
        assert delayed.call("remove", Java("pojo", task(7), CLASS)) is True
        ours.offer(module.OrderTask(**task(8)), delay=0.05)
        found = java.blocking_queue("tasks", codec="Kryo5").typed("poll", 20, "SECONDS")
        assert {field: value.v for field, value in found.v.items()} == task(8)


@pytest.mark.parametrize(("release", "kind"), OLD, ids=[each[0] for each in OLD])
def test_varied_tasks_of_old_services(
    release: str,
    kind: type[Any],
    java_client: Clients,
    url: str,
    tmp_path: Path,
) -> None:
    """Varied objects through queues and delayed queues, both ways."""
    module = schemas(release, tmp_path, "com.example.Job")
    java = java_client(release)
    pairs = [job(module, seed) for seed in range(TASKS)]
    codec = kind(schemas=module)
    with Redisson.from_url(url, codec=codec, wire_format=release) as redisson:
        queue = redisson.get_blocking_queue("jobs")
        theirs = java.blocking_queue("jobs")
        for made, ours in pairs:
            theirs.call("offer", made)
            assert queue.peek() == ours
            assert queue.remove(ours)
            queue.offer(ours)
            assert theirs.call("contains", made) is True
            theirs.call("offer", made)
            assert theirs.typed("poll") == theirs.typed("poll")
        delayed, later = redisson.get_delayed_queue(queue), java.delayed_queue("jobs")
        for made, ours in pairs:
            later.call("offer", made, 3600, "SECONDS")
            assert delayed.remove(ours)
            delayed.offer(ours, delay=3600)
            assert later.call("remove", made) is True
        assert len(delayed) == 0
        for number, (made, ours) in enumerate(pairs[:6]):
            later.call("offer", made, 50 * number, "MILLISECONDS")
            delayed.offer(ours, delay=0.05 * number + 0.025)
        taken = [queue.poll(timeout=20) for _ in range(12)]
        assert taken == [ours for _, ours in pairs[:6] for _ in range(2)]
