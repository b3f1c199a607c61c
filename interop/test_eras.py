"""Java services on the default codec of each era, and Python, exchange tasks of a class of Java's.

The schema is made by the schema command from the service's own jar.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from interop.build import UnavailableError, jars
from interop.peer import Java, JavaClient
from pyredisson import Redisson, cli
from pyredisson.codecs import Codec, FstCodec, Kryo5Codec, MarshallingCodec
from tests.support.services import unavailable

CLASS = "com.example.OrderTask"
ERAS: list[tuple[str, str, type[Codec[Any]]]] = [
    ("3.12.5", "Fst", FstCodec),
    ("3.18.1", "Marshalling", MarshallingCodec),
    ("3.19.3", "Kryo5", Kryo5Codec),
    ("3.27.2", "Kryo5", Kryo5Codec),
    ("3.52.0", "Kryo5", Kryo5Codec),
    ("4.7.0", "Kryo5", Kryo5Codec),
]
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


def codec_of(kind: type[Any], module: ModuleType, release: str) -> Codec[Any]:
    codec: Codec[Any] = (
        kind(schemas=module, release=release) if kind is Kryo5Codec else kind(schemas=module)
    )
    return codec


@pytest.mark.parametrize(("release", "name", "kind"), ERAS, ids=[era[0] for era in ERAS])
def test_tasks_of_an_era(
    release: str,
    name: str,
    kind: type[Codec[Any]],
    java_client: Clients,
    url: str,
    tmp_path: Path,
) -> None:
    """Java offers, Python takes; with Kryo5 also the other way, and Java finds it by value."""
    module = schemas(release, tmp_path, CLASS)
    java = java_client(release)
    delayed = java.delayed_queue("tasks", codec=name)
    for number in range(3):
        delayed.call("offer", Java("pojo", task(number), CLASS), 50 * number, "MILLISECONDS")
    codec = codec_of(kind, module, release)
    with Redisson.from_url(url, codec=codec, wire_format=release) as redisson:
        queue = redisson.get_blocking_queue("tasks")
        ours = redisson.get_delayed_queue(queue)
        taken = [queue.poll(timeout=20) for _ in range(3)]
        assert taken == [module.OrderTask(**task(number)) for number in range(3)]
        if kind is not Kryo5Codec:
            return
        ours.offer(module.OrderTask(**task(7)), delay=3600)
        assert delayed.call("contains", Java("pojo", task(7), CLASS)) is True
        assert delayed.call("remove", Java("pojo", task(7), CLASS)) is True
        ours.offer(module.OrderTask(**task(8)), delay=0.05)
        found = java.blocking_queue("tasks", codec=name).typed("poll", 20, "SECONDS")
        assert {field: value.v for field, value in found.v.items()} == task(8)
