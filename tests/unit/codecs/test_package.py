"""Every codec under its Redisson name, loaded when it is asked for."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from pyredisson import codecs


def test_all_names_are_codecs() -> None:
    for name in codecs.__all__:
        assert getattr(codecs, name).__name__ == name
        assert name in dir(codecs)


def test_an_unknown_name() -> None:
    with pytest.raises(AttributeError, match="NoSuchCodec"):
        _ = codecs.NoSuchCodec


def test_nothing_is_loaded_before_use() -> None:
    script = (
        "import sys; from pyredisson.codecs import StringCodec; "
        "sys.exit(any('jackson' in name for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_codecs_are_pure() -> None:
    """No module of the package imports a clock, randomness, I/O or Redis."""
    folder = Path(codecs.__file__).parent
    seen: set[str] = set()
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                seen.update(each.name.partition(".")[0] for each in node.names)
            elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                seen.add(node.module.partition(".")[0])
    assert "struct" in seen
    assert not seen & {"asyncio", "io", "os", "random", "redis", "secrets", "socket", "time"}
