"""`pyredisson schema` on one class alone: the result works as it is.

Java makes an object of each class in `vectors/schemas`, by the class's own sample(). Python reads
it with the module of this class alone and writes the same bytes. A table lists what is refused,
here or in Java. Needs Maven and a JDK 17.
"""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from interop.peer.build import MATRIX, UnavailableError, jars
from interop.vectors import jvm
from interop.vectors.fuzz_kryo5 import TOOLS, Java
from interop.vectors.migration_runs import FST, RIVER
from interop.vectors.record_json_vectors import artifacts
from interop.vectors.record_typed_vectors import LIBRARIES
from pyredisson import codecs
from pyredisson.cli import main as cli
from pyredisson.errors import CodecError
from pyredisson.java.schemas import collect
from tests.support.services import unavailable

SOURCES = jvm.HERE / "schemas"
NEW, OLD = "4.7.0", "4.0.0"  # the last with Marshalling and FST
ARTIFACTS = {
    NEW: list(dict.fromkeys([*artifacts(NEW), *LIBRARIES[NEW]])),
    OLD: [*RIVER, *FST, ("com.fasterxml.jackson.core", "jackson-databind", "2.20.1")],
}
TYPED = ("TypedJsonJacksonCodec", "TypedJsonJackson3Codec", "ProtobufCodec")
NAMES = sorted(
    ".".join(path.relative_to(SOURCES).with_suffix("").parts)
    for path in SOURCES.rglob("*.java")
    if re.search(rf"    public static {path.stem}\b.* sample\(\)", path.read_text("utf-8"))
)

ABSTRACT = "is abstract in Java, and the message does not name the class of the value"
EXCEPTION = "is an exception: Jackson writes more of it than a schema has"
OWN_FORMAT = "which protostuff writes in a format that ProtobufCodec does not support"
ROOT = "at the root without its class, because it is final, and cannot read that back"
JACKSON = (ROOT, EXCEPTION, "type `java.util.Optional", "type `java.time.LocalDateTime`")
STREAMS = (  # what these codecs cannot read or write, a pattern for each kind
    "which this codec can only read",
    "with other data than its fields",
    "what Java writes for a .* is not known here",
    "do(es)? not end where",
    "no object begins with",
    r"Counter\$Step lacks the serial_version_uid that its bytes need",
    "JBoss Marshalling cannot write records",
    "Java cannot read records that FST wrote",
    "refer to each other in a circle",
)
NOT_SERIALIZABLE = ("java.util.Optional", "field offset on a record class")
PROTOSTUFF = (OWN_FORMAT, "which has no schema", "cannot create objects of", "on a record class")
REFUSED = {
    "Kryo5Codec": (),
    **dict.fromkeys(
        (
            *("JsonJacksonCodec", "JsonJackson3Codec", "MsgPackJacksonCodec"),
            *("CborJacksonCodec", "SmileJacksonCodec", "IonJacksonCodec"),
        ),
        JACKSON,
    ),
    **dict.fromkeys(TYPED[:2], (ABSTRACT, *JACKSON)),
    "ProtobufCodec": (*PROTOSTUFF, "StackOverflowError"),  # an object that refers to its parent
    **dict.fromkeys(
        ("SerializationCodec", "MarshallingCodec", "FstCodec"), (*STREAMS, *NOT_SERIALIZABLE)
    ),
}
AT_LEAST = {"Kryo5Codec": len(NAMES), "ProtobufCodec": 10, "MarshallingCodec": 0, "FstCodec": 0}


@cache
def compiled(release: str) -> str:
    """The class path, whose first entry has the compiled classes of `vectors/schemas`."""
    try:
        jars(MATRIX[0])
    except UnavailableError as error:
        unavailable(f"no Java here: {error}")
    sources = [*TOOLS.glob("*.java"), *SOURCES.rglob("*.java")]
    return jvm.compile_java(jvm.class_path(release, ARTIFACTS[release]), sources)


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, ModuleType]]:
    """The modules that the command writes for each class alone."""
    folder = tmp_path_factory.mktemp("alone")
    classes = compiled(NEW).partition(":")[0]
    found = {}
    for number, name in enumerate(NAMES):
        output = folder / f"generated_alone_{number}.py"
        assert cli.main(["schema", classes, name, "--strict", "-o", str(output)]) == 0
        found[name] = load(output)
    yield found
    for module in found.values():
        del sys.modules[module.__name__]


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[path.stem] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def codec_for(name: str, module: ModuleType, class_name: str) -> Any:
    make: Any = getattr(codecs, name)
    first = [collect(module)[class_name].python] if name in TYPED else []
    return make(*first, schemas=module)


def outcome(name: str, module: ModuleType, class_name: str, told: str) -> str:
    """Return "same", or why one side refuses; any other result is a failure."""
    if told.startswith("!"):
        return told
    try:
        codec = codec_for(name, module, class_name)
        value = codec.decode(bytes.fromhex(told))
        again = codec.encode(value)
    except (CodecError, TypeError) as error:
        return f"!{error}"
    assert again.hex() == told, f"{name}, {class_name}: {value!r}"
    assert codec.decode(again) == value
    return "same"


@pytest.mark.parametrize("name", REFUSED)
def test_python_writes_the_same_bytes_as_java_for_each_class(
    name: str, modules: dict[str, ModuleType]
) -> None:
    path = compiled(OLD if name in {"MarshallingCodec", "FstCodec"} else NEW)
    words = [f"codec {name} {{}}" if name in TYPED else f"codec {name}", "sample {}"]
    found = {}
    with closing(Java.on(path)) as java:
        for each in NAMES:
            _, told = java.ask([word.format(each) for word in words])
            found[each] = outcome(name, modules[each], each, told)
    odd = {
        each: told
        for each, told in found.items()
        if told != "same" and not any(re.search(known, told) for known in REFUSED[name])
    }
    assert not odd
    assert list(found.values()).count("same") >= AT_LEAST.get(name, 18), found


@pytest.mark.parametrize("name", REFUSED)
def test_object_of_each_class_made_in_python_comes_back(
    name: str, modules: dict[str, ModuleType]
) -> None:
    """It has Java's zeros and nulls, whatever its class refers to."""
    for class_name, module in modules.items():
        cls: Any = collect(module)[class_name].python
        value = next(iter(cls)) if collect(module)[class_name].kind == "enum" else cls()
        try:
            codec = codec_for(name, module, class_name)
            data = codec.encode(value if name in TYPED else [value])  # of a final class, too
            found = codec.decode(data)
        except (CodecError, TypeError) as error:
            told = f"{class_name}: {error}"
            assert any(re.search(known, told) for known in REFUSED[name]), told
        else:
            assert codec.encode(found) == data
