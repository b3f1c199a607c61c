"""`pyredisson schema` on an application that has Redisson's jar and all that comes with it.

Needs javac and the peer's jars.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from interop.peer.build import MATRIX, UnavailableError, jars
from pyredisson.classfile import ClassPath
from pyredisson.cli import main as cli
from pyredisson.schema_command.select import select
from tests.support.services import unavailable

APPLICATION = """
package com.example.shop;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.redisson.api.*;
import org.redisson.config.Config;
class OrderTask { String id; List<Line> lines; JsonNode data; }
record Line(String item, long count) {}
class OrderService { RedissonClient client; RDelayedQueue<OrderTask> queue; Config config; }
class Static { static RedissonClient client; transient RedissonReactiveClient reactive; }
"""


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The application's classes, and the jars of its libraries."""
    javac = shutil.which("javac")
    if javac is None:
        unavailable("no javac here")
    try:
        libraries = jars(MATRIX[0])
    except UnavailableError as error:
        unavailable(f"no Java peer: {error}")
    folder = tmp_path_factory.mktemp("shop")
    source = folder / "Shop.java"
    source.write_text(APPLICATION)
    command = [javac, "-nowarn", "-Xlint:none", "-cp", f"{libraries}/*", "-d", f"{folder}/classes"]
    subprocess.run([*command, str(source)], check=True, timeout=120)
    return [folder / "classes", *sorted(libraries.glob("*.jar"))]


def test_a_service_does_not_bring_redisson(places: list[Path]) -> None:
    """Its interfaces are included, and the classes in a Config; implementors of them are not."""
    found = select(ClassPath(places), ["com.example.shop.**"])
    ours = {name for name in found.classes if name.startswith("com.example.")}
    assert ours == {
        f"com.example.shop.{each}" for each in ("OrderTask", "Line", "OrderService", "Static")
    }
    theirs = set(found.classes) - ours
    assert {"org.redisson.api.RedissonClient", "org.redisson.api.RDelayedQueue"} <= theirs
    assert "org.redisson.api.RedissonReactiveClient" not in theirs
    assert found.passed["org.redisson.Redisson"] == "org.redisson.api.RedissonClient"
    assert {
        "com.fasterxml.jackson.databind.node.ObjectNode",
        "org.redisson.config.Config",
    } <= theirs
    assert len(theirs) < 100


def test_warning_names_what_brings_many_classes(
    places: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [*map(str, places), "com.example.shop.OrderService", "--subclasses"]
    assert cli.main(["schema", *words, "-o", str(tmp_path / "tasks.py")]) == 0
    warning = next(each for each in capsys.readouterr().err.splitlines() if "warning: " in each)
    assert " of them through com.example.shop.OrderService." in warning
