"""Spring Cache and Spring Session, read and written by Python as docs/spring.md shows."""

from __future__ import annotations

import importlib.util
import sys
from datetime import timedelta
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from interop.peer.build import UnavailableError
from interop.peer.spring_service import SPRING, SpringService, service_jar
from pyredisson import Redisson
from pyredisson.cli import main as cli
from pyredisson.codecs import CompositeCodec, Kryo5Codec, SerializationCodec, StringCodec
from pyredisson.java import JArray
from tests.support.services import unavailable

CLASSES = (
    "org.springframework.cache.interceptor.SimpleKey",
    "org.redisson.spring.cache.NullValue",
)


def schemas(jar: Path, target: Path) -> ModuleType:
    """Make the classes of keys and of null from the service's jar, and import them."""
    assert cli.main(["schema", str(jar), *CLASSES, "-o", str(target)]) == 0
    spec = importlib.util.spec_from_file_location(target.stem, target)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[target.stem] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("release", SPRING)
def test_spring_cache_and_spring_session(release: str, url: str, tmp_path: Path) -> None:
    try:
        jar = service_jar(release)
        spring = SpringService(jar, url)
    except UnavailableError as error:
        unavailable(f"no Spring service: {error}")
    with spring, Redisson.from_url(url, release=release) as redisson:
        expected = "cached tea costs 7, tea cost 20, many, null, 3"
        assert spring.ask("cached", "tea", 2020) == expected

        spring_keys = schemas(jar, tmp_path / "spring_keys.py")
        codec: Any = Kryo5Codec(schemas=spring_keys)
        key, null = spring_keys.SimpleKey, spring_keys.NullValue
        prices = redisson.get_map("prices", codec)
        assert prices.get("tea") == "tea costs 7"
        assert prices.get(key(JArray("java.lang.Object", ["tea", 2020]))) == "tea cost 20"
        assert prices.get(key(JArray("java.lang.Object", []))) == "many"
        assert isinstance(prices.get("no tea"), null)
        assert len(list(prices.items())) == 4
        limits = redisson.get_map_cache("limits", codec)
        assert limits.get("tea") == 3
        left = limits.remain_time_to_live("tea")
        assert left is not None
        assert timedelta(0) < left <= timedelta(hours=1)

        prices.put("tea", "sold out")
        prices.put(key(JArray("java.lang.Object", ["tea", 2020])), "gone")
        prices.put("no tea", "soon")
        limits.put("tea", 9, ttl=60)
        expected = "cached sold out, gone, many, soon, 9"
        assert spring.ask("cached", "tea", 2020) == expected
        prices.remove("tea")
        assert spring.ask("cached", "tea", 2020) == expected.replace("sold out", "tea costs 7")

        name = spring.ask("session", "alice", 3).removeprefix("session ")
        session = redisson.get_map(
            f"spring:session:sessions:{name}",
            CompositeCodec(StringCodec(), SerializationCodec(), StringCodec()),
        )
        found = dict(session.items())
        assert (found["sessionAttr:user"], found["sessionAttr:visits"]) == ("alice", 3)
        assert found["maxInactiveInterval"] == 1800
        left = session.remain_time_to_live()
        assert left is not None
        assert timedelta(0) < left <= timedelta(minutes=30)
