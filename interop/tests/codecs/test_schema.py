"""`pyredisson schema` on classes that javac compiled: equal to the schemas written by hand.

With the generated schemas the codecs also read and write every vector. Needs javac, and Jackson's
annotations from the peer's jars.
"""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from interop.peer.build import MATRIX, ROOT, UnavailableError, jars
from pyredisson import EncodeError, codecs
from pyredisson.classfile import ClassPath
from pyredisson.cli import main as cli
from pyredisson.codecs import Kryo5Codec
from pyredisson.java.schema import ClassSchema, java_enum, schema_of
from pyredisson.java.schemas import collect
from tests.support.rows import check_all, rows_of
from tests.support.services import unavailable
from tests.unit.codecs import shapes, test_jackson_vectors, test_recorded, test_vectors

SOURCES = ROOT / "interop" / "vectors" / "java" / "com" / "example"
BY_HAND = collect(shapes)


def library() -> Path:
    try:
        return jars(MATRIX[0])
    except UnavailableError as error:
        unavailable(f"no Java peer: {error}")


@pytest.fixture(scope="module")
def classes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the compiled classes."""
    javac = shutil.which("javac")
    if javac is None:
        unavailable("no javac here")
    target = tmp_path_factory.mktemp("classes")
    sources = sorted(map(str, SOURCES.glob("*.java")))
    command = [javac, "-nowarn", "-encoding", "UTF-8", "-cp", f"{library()}/*", "-d", str(target)]
    subprocess.run([*command, *sources], check=True, timeout=120)
    return target


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def written(classes: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The module that the command writes for all classes."""
    output = tmp_path_factory.mktemp("schemas") / "generated_shapes.py"
    assert cli.main(["schema", str(classes), "com.example.*", "--strict", "-o", str(output)]) == 0
    yield output
    sys.modules.pop(output.stem, None)


@pytest.fixture(scope="module")
def generated(written: Path) -> dict[str, ClassSchema]:
    return collect(load(written))


def told(schema: ClassSchema) -> dict[str, Any]:
    """Return what codecs take from a schema, comparable; without what only a person can know.

    That is `toString()` of constants, and visibility, which the vectors' schemas leave at its
    default.
    """
    return {
        "kind": schema.kind,
        "final": schema.final,
        "abstract": schema.abstract,
        "variables": {name: str(bound) for name, bound in schema.variables.items()},
        "extends": schema.extends,
        "fields": [
            (each.name, each.type, each.json, each.json_ignore, each.transient)
            for each in schema.fields
        ],
        "constants": [(each.name, each.body, each.json) for each in schema.constants],
        "serial_version_uid": schema.serial_version_uid,
    }


@pytest.mark.parametrize("name", sorted(BY_HAND))
def test_command_writes_the_schemas_written_by_hand(
    name: str, generated: dict[str, ClassSchema]
) -> None:
    assert told(generated[name]) == told(BY_HAND[name])


def test_no_class_is_left_out(classes: Path, generated: dict[str, ClassSchema]) -> None:
    """All classes that javac made, except bodies of constants and interfaces."""
    path = ClassPath([classes])
    made = {
        name
        for name in path.names()
        if (file := path.find(name)) and not (file.is_hidden or file.is_interface)
    }
    assert set(generated) == made
    assert set(BY_HAND) <= made


def test_defaults_make_objects(written: Path, generated: dict[str, ClassSchema]) -> None:
    """Each class can be made without arguments, also an abstract one."""
    for schema in generated.values():
        if schema.kind != "enum":
            made = schema.python()
            assert made == schema.python()


def test_the_module_is_formatted_and_typed(written: Path) -> None:
    for tool in (
        ["ruff", "format", "--check", "--isolated"],
        ["ruff", "format", "--check", "--isolated", "--line-length", "100"],
        ["ruff", "check", "--isolated", "--select", "E,F,I,UP", "--ignore", "E501"],
        ["mypy", "--strict", "--follow-imports", "silent"],
    ):
        done = subprocess.run(
            [sys.executable, "-m", *tool, str(written)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
            timeout=110,
        )
        assert done.returncode == 0, done.stdout + done.stderr


def test_every_class_of_the_jars_can_be_read() -> None:
    """Those of Redisson, Jackson, Netty and all other libraries that the peer needs."""
    path = ClassPath(sorted(library().glob("*.jar")))
    names = path.names()
    assert len(names) > 5000
    for name in names:
        assert path.find(name) is not None


def by_java_names(schema: ClassSchema) -> Callable[..., Any]:
    """Return the generated class, or what makes it from Java's names of its fields."""
    names = {each.name: each.attribute for each in schema.fields}
    if (
        schema.parent is not None or schema.kind == "enum"
    ):  # subclasses and enums keep Python's names
        return schema.python
    return lambda *values, **fields: schema.python(
        *values, **{names.get(name, name): value for name, value in fields.items()}
    )


@pytest.fixture
def told_vectors(
    generated: dict[str, ClassSchema], monkeypatch: pytest.MonkeyPatch
) -> dict[str, ClassSchema]:
    """Yield the vectors' tests with generated schemas, and with what class files do not contain."""
    flags, level = (generated[f"com.example.{name}"].python for name in ("Flags", "Level"))
    monkeypatch.setattr(
        flags, "getUpper", property(lambda it: it.original and it.original.upper()), raising=False
    )
    monkeypatch.setattr(flags, "compute", property(lambda _: "computed"), raising=False)
    java_enum("com.example.Level", json={"LOW": "low"}, text={"LOW": "level-1", "HIGH": "level-2"})(
        level
    )
    # The vectors give an exception as it is without a schema.
    told = (each for name, each in generated.items() if not name.endswith("Exception"))
    classes = [each.python for each in told]
    names = {
        name: by_java_names(generated[found.class_name])
        for name, each in vars(shapes).items()
        if isinstance(each, type) and (found := schema_of(each)) is not None
    }
    for module in (test_vectors, test_jackson_vectors):
        monkeypatch.setattr(module, "NAMES", module.NAMES | names)
    monkeypatch.setattr(test_jackson_vectors, "SCHEMAS", classes)
    monkeypatch.setattr(
        test_vectors,
        "codec_of",
        lambda _, release, options: Kryo5Codec(
            schemas=classes, release=release, **json.loads(options)
        ),
    )
    return generated


@pytest.mark.parametrize("path", test_jackson_vectors.FILES, ids=lambda path: path.stem)
def test_generated_schemas_with_jackson(path: Path, told_vectors: dict[str, ClassSchema]) -> None:
    """Java's bytes of each value; those of Jackson 3 need `public=False` and the getters."""
    hidden = {each.name for each in told_vectors["com.example.Flags"].fields if not each.public}
    assert hidden == {"fixed", "passing"}  # active and done have a getter
    if path in test_jackson_vectors.TYPED:
        test_jackson_vectors.test_typed_vectors(path)
    else:
        test_jackson_vectors.test_vectors(path)


@pytest.mark.parametrize("release", test_recorded.RELEASES["Kryo5Codec"].split())
@pytest.mark.usefixtures("told_vectors")
def test_generated_schemas_with_kryo(release: str) -> None:
    rows = rows_of(test_vectors.VECTORS / f"Kryo5Codec-{release}.json")
    assert len(rows) >= 400
    check_all(rows, test_vectors.check_vector)


# --- each class alone

_JACKSON = (
    "at the root without its class, because it is final, and cannot read that back",
    "at the root as another class, or not at all",  # an enum in Ion
    "is an exception: Jackson writes more of it than a schema has",
    "lacks the attribute 'compute', which Java's JSON has",  # no class file says what it does
)
_STREAM = ("lacks the attribute 'lost'; set it",)  # a field of an own collection
OBJECT_CODECS: dict[str, tuple[str, ...]] = {
    "Kryo5Codec": (),
    **dict.fromkeys(
        (
            *("JsonJacksonCodec", "JsonJackson3Codec", "MsgPackJacksonCodec"),
            *("CborJacksonCodec", "SmileJacksonCodec", "IonJacksonCodec"),
        ),
        _JACKSON,
    ),
    "SerializationCodec": ("lacks the serial_version_uid that its bytes need", *_STREAM),
    "MarshallingCodec": (
        "lacks the serial_version_uid that its bytes need",
        "cannot write records",
        *_STREAM,
    ),
    "FstCodec": ("Java cannot read records that FST wrote", *_STREAM),
}
"""Codecs that take any class, and the texts of what they may refuse."""


@pytest.fixture(scope="module")
def alone(classes: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """An object of each class, of the module that the command writes for that class alone."""
    folder = tmp_path_factory.mktemp("each")
    found: dict[str, Any] = {}
    for number, path in enumerate(sorted(classes.rglob("*.class"))):
        name = ".".join(path.relative_to(classes).with_suffix("").parts)
        output = folder / f"generated_each_{number}.py"
        if cli.main(["schema", str(classes), name, "-o", str(output)]) != 0:
            continue  # of this class no values exist: a constant's body, a local class
        module = load(output)
        schema = collect(module)[name]
        if schema.kind == "enum":
            members: Any = schema.python
            found[name] = module, next(iter(members))
        elif not schema.abstract:
            found[name] = module, schema.python()
    yield found
    for module, _ in found.values():
        del sys.modules[module.__name__]


@pytest.mark.parametrize("codec", OBJECT_CODECS)
def test_the_module_of_one_class_is_enough(codec: str, alone: dict[str, Any]) -> None:
    refused = {}
    for name, (module, value) in alone.items():
        made = getattr(codecs, codec)(schemas=module)
        try:
            data = made.encode(value)
        except EncodeError as error:
            refused[name] = str(error)
        else:
            assert made.encode(made.decode(data)) == data, name
    assert len(alone) > 40
    for name, text in refused.items():
        assert any(word in text for word in OBJECT_CODECS[codec]), f"{name}: {text}"
