"""Runs the command on classes that a test assembled, and imports what it wrote."""

from __future__ import annotations

import importlib.util
import itertools
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from pyredisson.cli import main as cli
from tests.schema_command.support import Result, Run
from tests.unit.classfile.assembler import ClassBuilder


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """``run(builder, ..., names=[...])`` puts the classes into a jar and runs the command."""

    def start(*builders: ClassBuilder, names: list[str], strict: bool = False) -> Result:
        jar = tmp_path / "app.jar"
        with zipfile.ZipFile(jar, "w") as archive:
            for builder in builders:
                archive.writestr(f"{builder.name.replace('.', '/')}.class", builder.build())
        output = tmp_path / "tasks.py"
        code = cli.main(
            ["schema", str(jar), *names, "-o", str(output), *(["--strict"] if strict else [])]
        )
        captured = capsys.readouterr()
        return Result(code, captured.out, captured.err, output)

    return start


@pytest.fixture
def load() -> Iterator[Callable[[Result], ModuleType]]:
    """Import the module that the command wrote."""
    numbers = itertools.count()
    made: list[str] = []

    def start(result: Result) -> ModuleType:
        assert result.code == 0, result.err
        made.append(f"generated_tasks_{next(numbers)}")
        spec = importlib.util.spec_from_file_location(made[-1], result.output)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[made[-1]] = module
        spec.loader.exec_module(module)
        return module

    yield start
    for name in made:
        del sys.modules[name]
