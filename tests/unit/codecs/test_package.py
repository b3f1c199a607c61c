"""Every codec has its Redisson name and is loaded on first use."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pyredisson import codecs, java
from tests.support.rows import each_row

ROOT = Path(__file__).parents[3]


def test_all_names_are_codecs() -> None:
    for name in codecs.__all__:
        assert getattr(codecs, name).__name__ == name
        assert name in dir(codecs)


def test_unknown_codec_name_is_rejected() -> None:
    with pytest.raises(AttributeError, match="NoSuchCodec"):
        _ = codecs.NoSuchCodec


def test_codecs_java_reexports_the_type_model() -> None:
    other = importlib.import_module("pyredisson.codecs.java")
    for name in java.__all__:
        assert getattr(other, name) is getattr(java, name)


CODECS = sorted(set(codecs.__all__) - {"Codec", "Limits", "sniff"})


@each_row("name", CODECS)
def test_a_codec_has_its_module_its_tests_and_its_row(name: str) -> None:
    """The tests of `jackson.cbor` are in test_jackson_cbor.py; the row has no empty cell."""
    home = getattr(codecs, name).__module__.removeprefix("pyredisson.codecs.")
    home = home.replace("jackson.codec", "jackson.json").removesuffix(".codec")
    assert Path(__file__).with_name(f"test_{home.replace('.', '_')}.py").exists()
    table = (ROOT / "docs" / "codecs.md").read_text("utf-8").partition("## All codecs")[2]
    rows = [line for line in table.splitlines() if re.match(rf"\|[^|]*`{name}[`(]", line)]
    assert len(rows) == 1
    cells = [each.strip() for each in rows[0].strip("|").split("|")]
    assert len(cells) == 5
    assert all(cells)


LIBRARIES = ("cramjam", "fastavro", "google.protobuf", "msgpack")


def loaded(script: str) -> set[str]:
    """Run a script on its own and return the modules that it loaded."""
    end = "; import sys; print('\\n'.join(sys.modules))"
    command = [sys.executable, "-c", script + end]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return set(done.stdout.split())


def test_nothing_is_loaded_before_use() -> None:
    modules = loaded("import pyredisson.codecs")
    assert not modules & set(LIBRARIES)
    assert not any(name.startswith("pyredisson.codecs.jackson") for name in modules)


def test_a_codec_loads_no_library_that_it_may_not_need() -> None:
    """The compressing codecs, Avro and Protobuf load their library when a codec is made."""
    every = sorted(set(codecs.__all__) - {"MsgPackJacksonCodec"})
    modules = loaded(f"from pyredisson.codecs import {', '.join(every)}")
    assert not modules & set(LIBRARIES)
    assert "msgpack" in loaded("from pyredisson.codecs import MsgPackJacksonCodec")


def test_a_library_is_loaded_when_a_codec_is_made() -> None:
    made = "from pyredisson.codecs import *; from dataclasses import dataclass; "
    assert "cramjam" in loaded(made + "LZ4Codec(StringCodec())")
    assert "google.protobuf" not in loaded(made + "ProtobufCodec(str)")


def test_codecs_are_pure() -> None:
    """No module of the package imports a clock, randomness, I/O or Redis, or runs its input.

    Only the codecs are imported by a computed name. Libraries are imported by literals.
    """
    package = Path(codecs.__file__).parents[1]
    seen: set[str] = set()
    called: set[tuple[str, str]] = set()
    for path in [
        *package.joinpath("codecs").rglob("*.py"),
        *package.joinpath("java").rglob("*.py"),
        package / "_support" / "lazy_names.py",
    ]:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                seen.update(each.name.partition(".")[0] for each in node.names)
            elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                seen.add(node.module.partition(".")[0])
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                literal = bool(node.args) and isinstance(node.args[0], ast.Constant)
                called |= set() if literal else {(node.func.id, path.name)}
    assert "struct" in seen
    assert not seen & {"asyncio", "io", "os", "random", "redis", "secrets", "socket", "time"}
    assert not seen & {"code", "ctypes", "marshal", "pickle", "pydoc", "runpy", "shelve", "sys"}
    risky = {"__import__", "compile", "eval", "exec", "import_module"}
    assert {(name, where) for name, where in called if name in risky} == {
        ("import_module", "lazy_names.py"),  # the codecs themselves, by their names
        ("compile", "field_groups.py"),  # once per schema class, with names of its attributes
        ("exec", "field_groups.py"),
    }
