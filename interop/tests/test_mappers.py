"""Services that give their JSON codec an ObjectMapper: each side reads and removes the other's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from interop.peer import JavaClient
from interop.tests.test_eras import schemas
from interop.tests.test_nanoseconds import CLASS, in_java, in_python
from pyredisson import Redisson
from pyredisson.codecs import JsonJacksonCodec, TypedJsonJacksonCodec

MAPPERS: dict[str, dict[str, Any]] = {
    "arrays": {"java_time": "arrays"},
    "iso": {"java_time": "iso", "durations": "iso"},
    "iso+SNAKE_CASE": {"java_time": "iso", "durations": "iso", "naming": "snake_case"},
}


@pytest.mark.parametrize("release", ["4.7.0", "3.27.2"])
@pytest.mark.parametrize("mapper", MAPPERS)
@pytest.mark.parametrize("typed", [False, True], ids=["named", "typed"])
def test_each_side_removes_the_others_tasks(
    release: str,
    mapper: str,
    typed: bool,
    java_client: Callable[..., JavaClient],
    url: str,
    tmp_path: Path,
) -> None:
    module = schemas(release, tmp_path, CLASS)
    name = f"TypedJsonJackson+{mapper}:{CLASS}" if typed else f"JsonJackson+{mapper}"
    delayed = java_client(release).delayed_queue("mapped", codec=name)
    options = {"schemas": module, "release": release, **MAPPERS[mapper]}
    codec: Any = JsonJacksonCodec(**options)
    if typed:
        codec = TypedJsonJacksonCodec(module.Appointment, **options)
    task = in_python(module.Appointment)
    with Redisson.from_url(url, codec=codec, wire_format=release) as redisson:
        ours = redisson.get_delayed_queue(redisson.get_blocking_queue("mapped"))
        ours.offer(task, delay=3600)
        assert delayed.call("contains", in_java()) is True
        assert delayed.call("remove", in_java()) is True
        delayed.call("offer", in_java(), 3600, "SECONDS")
        assert ours.read_all() == [task]
        assert ours.remove(task) is True
        assert delayed.call("readAll") == []
