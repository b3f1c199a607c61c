"""The module has the types that a class only refers to, and the types that values can be of.

A class that can stand for a field's interface or abstract class is included, wherever the class
names that type.
"""

from __future__ import annotations

import io
import shlex
import zipfile
from pathlib import Path

import pytest

from pyredisson.cli import main as cli
from pyredisson.codecs import Kryo5Codec
from pyredisson.java.schemas import collect
from tests.schema_command.support import LIST, Load, Run, schema
from tests.unit.classfile.assembler import (
    ABSTRACT,
    FINAL,
    INTERFACE,
    PUBLIC,
    STATIC,
    TRANSIENT,
    ClassBuilder,
    enum_class,
    note,
)


def interface(name: str, *above: str) -> ClassBuilder:
    return ClassBuilder(name, flags=INTERFACE | ABSTRACT, interfaces=above)


def shop() -> list[ClassBuilder]:
    """An interface, all classes that can stand for it, and classes that must not be included."""
    return [
        interface("a.Priced", "a.Named"),
        interface("a.Named"),
        interface("a.Taxed", "a.Priced"),
        ClassBuilder("a.Item", interfaces=["a.Priced"]),
        ClassBuilder("a.Special", "a.Item"),
        ClassBuilder("a.Special$1", "a.Special").inner_class("a.Special$1", None, None, 0),
        ClassBuilder("b.Far", "a.Entity", interfaces=["java.io.Serializable", "a.Taxed"]),
        ClassBuilder("a.Entity", flags=ABSTRACT).field("id", "J", PUBLIC),
        ClassBuilder("a.Unrelated", "a.Entity"),
        ClassBuilder("a.OnlyNamed", interfaces=["a.Named"]),
        ClassBuilder("a.Plain"),
        ClassBuilder("a.Below", "a.Plain"),
    ]


PRICED = {"a.Priced", "a.Taxed", "a.Item", "a.Special", "b.Far", "a.Entity"}


@pytest.mark.parametrize(
    "builder",
    [
        ClassBuilder("a.Task").field("it", "La/Priced;"),
        ClassBuilder("a.Task").field("it", "[[La/Priced;"),
        ClassBuilder("a.Task").field("it", LIST, signature="Ljava/util/List<La/Priced;>;"),
        ClassBuilder("a.Task").field(
            "it", "Ljava/util/Map;", signature="Ljava/util/Map<Ljava/lang/String;+La/Priced;>;"
        ),
        ClassBuilder("a.Task").field("it", LIST, signature="Ljava/util/List<[La/Priced;>;"),
        ClassBuilder("a.Task").signature("<T::La/Priced;>Ljava/lang/Object;"),
        ClassBuilder("a.Task").signature("<T:Ljava/lang/Object;:La/Priced;>Ljava/lang/Object;"),
        ClassBuilder("a.Task", "java.util.ArrayList").signature(
            "Ljava/util/ArrayList<La/Priced;>;"
        ),
    ],
)
def test_classes_that_implement_an_interface_are_included(
    run: Run, load: Load, builder: ClassBuilder
) -> None:
    found = collect(load(run(builder, *shop(), names=["a.Task"])))
    assert set(found) == {"a.Task", *PRICED}
    assert found["a.Priced"].kind == "interface"
    assert found["a.Priced"].abstract
    above = ("java.io.Serializable", "a.Taxed", "a.Priced", "a.Named")
    assert found["b.Far"].interfaces == above
    assert issubclass(found["a.Special"].python, found["a.Priced"].python)
    assert found["b.Far"].parent is found["a.Entity"]
    assert found["a.Item"].parent is None


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["a.Task"], {"a.Task", *PRICED, "a.Plain"}),
        (["a.Task", "--no-subclasses"], {"a.Task", "a.Priced", "a.Plain"}),
        (
            ["a.Task", "--subclasses"],
            {"a.Task", *PRICED, "a.Plain", "a.Below", "a.Unrelated"},
        ),
        (["a.Priced"], PRICED),
        (["a.Entity"], PRICED - {"a.Item", "a.Special", "a.Priced", "a.Taxed"} | {"a.Unrelated"}),
        (["a.Item", "a.Entity", "--no-subclasses"], {"a.Item", "a.Entity"}),
        (["b.*"], {"b.Far", "a.Entity"}),
    ],
)
def test_options_select_subclasses(
    run: Run, load: Load, words: list[str], expected: set[str]
) -> None:
    task = ClassBuilder("a.Task").field("it", "La/Priced;").field("plain", "La/Plain;")
    task.field("lost", "La/Named;", TRANSIENT)
    result = run(task, *shop(), names=words)
    assert set(collect(load(result))) == expected
    header = result.head.split("# pyredisson schema JARS ")[1].splitlines()[0]
    assert shlex.split(header) == [*sorted(words[:-1]), words[-1]]


def test_implementors_in_a_spring_boot_jar(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Implementors in its libraries count, too; damaged or strange library files do not matter."""
    library = io.BytesIO()
    with zipfile.ZipFile(library, "w") as archive:
        archive.writestr("lib/Far.class", ClassBuilder("lib.Far", interfaces=["a.I"]).build())
        archive.writestr("lib/Broken.class", b"\xca\xfe\xba\xbe")
        archive.writestr("Odd/lib/Far.class", ClassBuilder("lib.Far", "a.Base").build())
    jar = tmp_path / "app.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        archive.writestr("org/springframework/boot/Main.class", ClassBuilder("x.Y").build())
        for each in (interface("a.I"), ClassBuilder("a.Task").field("it", "La/I;")):
            path = each.name.replace(".", "/")
            archive.writestr(f"BOOT-INF/classes/{path}.class", each.build())
        archive.writestr("BOOT-INF/lib/lib-1.0.jar", library.getvalue())
    output = tmp_path / "tasks.py"
    assert cli.main(["schema", str(jar), "a.Task", "-o", str(output)]) == 0
    assert capsys.readouterr().err == f"pyredisson: {output}: 3 classes\n"
    assert "class Far(I):\n" in output.read_text("utf-8")


def test_interface_without_subclasses_is_an_error(run: Run) -> None:
    result = run(*shop(), names=["a.Priced", "--no-subclasses"])
    assert result.err == (
        "pyredisson: a.Priced: no class that a value can have: nothing in the given jars and "
        "directories implements it, or --no-subclasses leaves it out\n"
    )


def test_source_and_values(run: Run, load: Load) -> None:
    classes = [
        interface("a.Shape"),
        interface("a.Round", "a.Shape"),
        ClassBuilder("a.Circle", interfaces=["a.Round", "a.Shape", "x.Other"], flags=FINAL),
        enum_class("a.Mark", {"DOT": None}, interfaces=["a.Shape"]),
        ClassBuilder("a.Shapes", "java.util.ArrayList", interfaces=["a.Shape"]),
        ClassBuilder("a.Box", flags=FINAL).field("shape", "La/Shape;", PUBLIC),
    ]
    result = run(*classes, names=["a.Box"])
    assert (
        """\
@java_class("a.Shape", interface=True)
class Shape:
    pass
"""
        in result.text
    )
    assert (
        """\
@java_class("a.Circle", final=True, interfaces=["x.Other"])
@dataclass
class Circle(Round):
    pass
"""
        in result.text
    )
    assert "class Mark(Shape, Enum):\n" in result.text
    assert "class Shapes(list[Any], Shape):\n" in result.text
    assert 'shape: Annotated[Shape | None, "a.Shape"] = None' in result.text
    module = load(result)
    assert schema(module.Mark).interfaces == ("a.Shape",)
    codec = Kryo5Codec(schemas=module)
    for shape in (None, module.Circle(), module.Mark.DOT, module.Shapes([1])):
        assert codec.decode(codec.encode(module.Box(shape))) == module.Box(shape)
    listed = Kryo5Codec(schemas=[module.Box, module.Circle])
    assert listed.decode(listed.encode(module.Box(module.Circle()))) == module.Box(module.Circle())


def test_orders_of_interfaces_that_python_does_not_have(run: Run, load: Load) -> None:
    classes = [
        interface("a.I"),
        interface("a.J"),
        interface("a.IJ", "a.I", "a.J"),
        interface("a.JI", "a.J", "a.I"),
        ClassBuilder("a.Both", interfaces=["a.IJ", "a.JI"]),
        ClassBuilder("a.Sub", "a.Both", interfaces=["a.JI", "a.J"]),
        ClassBuilder("a.Box").field("one", "La/IJ;").field("two", "La/JI;").field("i", "La/J;"),
        ClassBuilder("a.User").field("box", "La/Box;").field("i", "La/I;"),
    ]
    module = load(run(*classes, names=["a.User"]))
    found = collect(module)
    assert set(found["a.Both"].interfaces) == {"a.I", "a.J", "a.IJ", "a.JI"}
    assert set(found["a.Sub"].interfaces) == {"a.I", "a.J", "a.IJ", "a.JI"}
    assert module.Both.__bases__ == (module.IJ,)
    codec = Kryo5Codec(schemas=module)
    box = module.Box(one=module.Both(), two=module.Sub(), i=module.Sub())
    assert codec.decode(codec.encode(box)) == box


def test_interfaces_keep_their_notes(run: Run) -> None:
    """Jackson's annotations on an interface apply to all classes that implement it."""
    shape = interface("a.Shape")
    shape.annotate(note("Lcom/fasterxml/jackson/annotation/JsonTypeInfo;"))
    task = ClassBuilder("a.Task").field("it", "La/Shape;")
    text = run(shape, task, names=["a.Task", "--no-subclasses"]).text
    assert text.startswith("# Note: a schema cannot contain @JsonTypeInfo\n@java_class(")


def test_members_of_an_interface_are_no_fields(run: Run, load: Load) -> None:
    shape = interface("a.Shape").field("UNIT", "I", PUBLIC | STATIC | FINAL, constant=1)
    shape.getter("getArea", "I", "area")
    module = load(run(shape, ClassBuilder("a.T").field("it", "La/Shape;"), names=["a.T"]))
    assert not schema(module.Shape).fields
    assert not schema(module.Shape).getters
