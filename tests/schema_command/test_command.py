"""`pyredisson schema`: which classes it finds, its messages, its exit codes.

The class files are assembled here; `interop/tests/codecs/test_schema.py` takes javac's.
"""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from pyredisson.cli import main as cli
from pyredisson.java.schemas import collect
from tests.schema_command.support import LIST, Load, Run, color, line, schema, task
from tests.unit.classfile.assembler import (
    ABSTRACT,
    INTERFACE,
    PUBLIC,
    STATIC,
    SYNTHETIC,
    TRANSIENT,
    ClassBuilder,
    enum_class,
)

WHOLE = '''\
"""Java classes as Python classes, for the codecs of pyredisson.

Generated from class files. Do not edit; run the command again if a Java class changes.
"""

# pyredisson schema JARS com.example.OrderTask
# ruff: noqa: N801, N802, N815 - the names are Java's

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import Enum, auto
from typing import Annotated

from pyredisson.java import JavaField, java_class, java_enum


@java_class("com.example.OrderTask$Line", final=True)
@dataclass
class OrderTaskLine:
    price: Annotated[Decimal | None, "BigDecimal"] = None
    count: Annotated[int, "long"] = 0


@java_enum("com.example.Color")
class Color(Enum):
    RED = auto()
    GREEN = auto()


@java_class(
    "com.example.OrderTask",
    interfaces=["java.io.Serializable"],
    serial_version_uid=42,
    outer=JavaField("x.Outer"),
)
@dataclass
class OrderTask:
    orderId: Annotated[str | None, "String"] = None
    lines: Annotated[
        list[OrderTaskLine] | None,
        "List<com.example.OrderTask$Line>",
    ] = None
    color: Annotated[Color | None, "com.example.Color"] = None
'''


def test_a_class_and_all_it_refers_to(run: Run, load: Load) -> None:
    result = run(task(), line(), color(), names=["com.example.OrderTask"])
    assert result.output.read_text("utf-8") == WHOLE
    assert (result.code, result.out) == (0, "")
    assert result.err == f"pyredisson: {result.output}: 3 classes\n"
    module = load(result)
    assert set(collect(module)) == {
        "com.example.OrderTask",
        "com.example.OrderTask$Line",
        "com.example.Color",
    }
    made = module.OrderTask(orderId="A1", lines=[module.OrderTaskLine(count=2)])
    assert (made.orderId, made.color, made.lines[0].count) == ("A1", None, 2)


def test_the_order_of_the_jar_does_not_matter(run: Run) -> None:
    assert run(color(), line(), task(), names=["com.example.OrderTask"]).text in WHOLE


# --- which classes ------------------------------------------------------------------------------


def package() -> list[ClassBuilder]:
    return [
        ClassBuilder("Top"),
        ClassBuilder("a.A"),
        ClassBuilder("a.A$In").inner_class("a.A$In", "a.A", "In", STATIC),
        ClassBuilder("a.A$1").inner_class("a.A$1", None, None, 0),
        ClassBuilder("a.I", flags=INTERFACE | ABSTRACT),
        ClassBuilder("a.package-info", flags=INTERFACE | ABSTRACT | SYNTHETIC),
        ClassBuilder("a.b.B"),
        ClassBuilder("ab.C"),
        ClassBuilder("module-info", None, 0x8000),
    ]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["a.*"], {"a.A", "a.A$In"}),
        (["a.**"], {"a.A", "a.A$In", "a.b.B"}),
        (["**"], {"Top", "a.A", "a.A$In", "a.b.B", "ab.C"}),
        (["*"], {"Top"}),
        (["Top"], {"Top"}),
        (["a.A$In"], {"a.A$In"}),
        (["a.A.In", "ab.*"], {"a.A$In", "ab.C"}),
    ],
)
def test_patterns_select_classes(
    run: Run, load: Load, names: list[str], expected: set[str]
) -> None:
    assert set(collect(load(run(*package(), names=names)))) == expected


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["a.X"], "a.X: no such class in the given jars and directories\n"),
        (["B"], "B: no such class in the given jars and directories; there is a.b.B\n"),
        (["a.In"], "there is a.A$In\n"),
        (["a.in"], "there is a.A$In\n"),
        (["java.lang.String"], "the JDK cannot have a schema; the codecs support some of them\n"),
        (["x.*"], "x.*: no such package in the given jars and directories\n"),
        (["a*"], "a*: a star must stand for a whole package, as in a.b.*\n"),
        (["a.I"], "nothing in the given jars and directories implements it\n"),
        (["a.A", "--check", "-o", ""], "the class files; run the command again without --check\n"),
        ([], "name the classes, such as com.example.OrderTask or 'com.example.*'\n"),
        (["no.jar", "a.A"], "no.jar: no such jar, directory or class\n"),
    ],
)
def test_command_rejects_names_of_no_class(run: Run, names: list[str], message: str) -> None:
    result = run(*package(), names=[name for name in names if name not in {"-o", ""}])
    assert result.code == 1
    assert result.err.startswith("pyredisson: ")
    assert result.err.endswith(message)
    assert not result.output.exists()


def test_command_needs_a_jar_or_directory(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["schema", "com.example.A"]) == 1
    assert capsys.readouterr().err == (
        "pyredisson: name the jars or directories that contain the classes\n"
    )


# --- what is missing ----------------------------------------------------------------------------


def incomplete() -> list[ClassBuilder]:
    builder = ClassBuilder("a.A", "lib.Base")
    builder.field("when", "Lorg/joda/time/DateTime;", PUBLIC)
    builder.field("more", LIST, PUBLIC, signature="Ljava/util/List<Lorg/joda/time/DateTime;>;")
    builder.field("service", "Llib/Service;", PUBLIC | TRANSIENT)
    builder.signature("<T:Llib/Bound;>Llib/Base<Llib/Argument;>;")
    return [builder, ClassBuilder("b.B")]


def test_missing_classes(run: Run, load: Load) -> None:
    result = run(*incomplete(), names=["a.A"])
    assert result.err.splitlines()[:-1] == [
        "pyredisson: missing: lib.Argument (extends of a.A)",
        "pyredisson: missing: lib.Base (superclass of a.A)",
        "pyredisson: missing: lib.Bound (bound in a.A)",
        "pyredisson: missing: org.joda.time.DateTime (a.A.when, a.A.more)",
    ]
    assert result.head.endswith(
        "\n# Not in the given jars and directories, so without a schema:\n"
        "# - lib.Argument (extends of a.A)\n"
        "# - lib.Base (superclass of a.A)\n"
        "# - lib.Bound (bound in a.A)\n"
        "# - org.joda.time.DateTime (a.A.when, a.A.more)"
    )
    found = schema(load(result).A)
    assert str(found.extends) == "lib.Base<lib.Argument>"
    assert [str(each.type) for each in found.fields] == [
        "org.joda.time.DateTime",
        "java.util.List<org.joda.time.DateTime>",
        "lib.Service",
    ]


def test_strict_fails_if_a_class_is_missing(run: Run) -> None:
    result = run(*incomplete(), names=["a.A"], strict=True)
    assert result.code == 1
    assert "missing: lib.Base" in result.err
    assert not result.output.exists()
    assert run(*incomplete(), names=["b.B"], strict=True).code == 0


def test_names_that_a_schema_cannot_encode(run: Run, load: Load) -> None:
    """They and their subclasses are left out, with the reason. Classes that refer to them stay."""
    classes = [
        ClassBuilder("a.Odd").field("x", "La/with-dash;"),
        ClassBuilder("a.Below", "a.Odd"),
        ClassBuilder("a.A").field("odd", "La/Odd;", PUBLIC).field("below", "La/Below;", PUBLIC),
    ]
    result = run(*classes, names=["a.A", "a.Below"])
    assert "left out: a.Odd: 'a.with-dash' is not a Java type: '-dash'" in result.err
    assert "left out: a.Below: its superclass is left out" in result.err
    assert "# Left out:\n# - a.Below: its superclass is left out\n# - a.Odd: " in result.head
    assert set(collect(load(result))) == {"a.A"}
    assert run(*classes, names=["a.A"], strict=True).code == 1


def test_names_that_are_python(run: Run, load: Load) -> None:
    """Class files may have any names; in the module they are strings, never code."""
    evil = 'A")\nraise SystemExit("\\")\n@x("'
    builder = ClassBuilder(f"a.{evil}", interfaces=[f"b.{evil}"]).field(evil, "I")
    builder.getter(f"get{evil}", "J", evil).getter("getX-abc", "J", evil)
    module = load(run(builder, enum_class(f"c.{evil}", {evil: None}), names=["a.*", "c.*"]))
    found = collect(module)
    assert set(found) == {f"a.{evil}", f"c.{evil}"}
    assert found[f"a.{evil}"].interfaces == (f"b.{evil}",)
    assert [each.attribute for each in found[f"a.{evil}"].getters] == [f"get{evil}", "getX-abc"]
    assert [each.name for each in found[f"a.{evil}"].fields] == [evil]


def test_class_with_an_ambiguous_type_is_left_out(run: Run) -> None:
    """The JVM accepts a comma in a class's name; in a type it looks like two arguments."""
    builder = ClassBuilder("a.A").field("x", LIST, signature="Ljava/util/Map<La/B,int;>;")
    result = run(builder, ClassBuilder("a.B"), names=["a.A", "a.B"])
    assert "left out: a.A: a schema cannot contain the type java.util.Map<a.B,int>" in result.err


def test_classes_in_a_circle_are_left_out(run: Run, load: Load) -> None:
    """The command also ends for classes that no compiler makes."""
    classes = [
        ClassBuilder("a.A", "a.B"),
        ClassBuilder("a.B", "a.A"),
        ClassBuilder("a.I", flags=INTERFACE, interfaces=["a.J"]).permits("a.J"),
        ClassBuilder("a.J", flags=INTERFACE, interfaces=["a.I"]).permits("a.I"),
        ClassBuilder("a.C", interfaces=["a.I"]).field("i", "La/I;"),
    ]
    result = run(*classes, names=["a.A", "a.C"])
    for name in ("a.A", "a.I", "a.J"):
        assert f"left out: {name}: it is its own superclass" in result.err
    assert set(collect(load(result))) == {"a.C"}


def test_damaged_files_end_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    jar = tmp_path / "app.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        archive.writestr("a/A.class", ClassBuilder("a.A").field("b", "La/B;").build())
        archive.writestr("a/B.class", ClassBuilder("a.B").build()[:-1])
    assert cli.main(["schema", str(jar), "a.A"]) == 1
    message = capsys.readouterr().err
    assert message.startswith(f"pyredisson: {jar}!a/B.class: ends early: ")
    assert len(message.splitlines()) == 1


def test_a_damaged_interface(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    jar = tmp_path / "app.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        archive.writestr("a/A.class", ClassBuilder("a.A", interfaces=["a.I"]).build())
        archive.writestr("a/I.class", b"nothing")
    assert cli.main(["schema", str(jar), "a.A"]) == 1
    assert capsys.readouterr().err.startswith(f"pyredisson: {jar}!a/I.class: not a class file")


# --- output -------------------------------------------------------------------------------------


def test_module_is_printed_without_output(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "A.class"
    path.write_bytes(ClassBuilder("a.A").build())
    assert cli.main(["schema", str(path), "a.A", "--no-json", "--subclasses"]) == 0
    captured = capsys.readouterr()
    assert captured.out.endswith('@java_class("a.A")\n@dataclass\nclass A:\n    pass\n')
    assert "\n# pyredisson schema JARS a.A --subclasses --no-json\n" in captured.out
    assert captured.err == ""


def test_check_compares_and_does_not_write(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, output = tmp_path / "A.class", tmp_path / "tasks.py"
    path.write_bytes(ClassBuilder("a.A").build())
    words = ["schema", str(path), "a.A", "-o", str(output)]
    assert cli.main([*words, "--check"]) == 1
    assert not output.exists()
    assert cli.main(words) == 0
    assert cli.main([*words, "--check"]) == 0
    before = output.read_bytes()
    path.write_bytes(ClassBuilder("a.A").field("news", "I").build())
    capsys.readouterr()
    assert cli.main([*words, "--check"]) == 1
    *changed, last = capsys.readouterr().err.splitlines()
    assert "-     pass" in changed
    assert '+     news: Annotated[int, JavaField("int", public=False)] = 0' in changed
    assert len(changed) == 5
    assert last == (
        f"pyredisson: {output}: differs from the class files; run the command again without --check"
    )
    assert output.read_bytes() == before
    assert cli.main(["schema", str(path), "a.A", "--check"]) == 1
    assert "--check needs --output" in capsys.readouterr().err


def path_of(builder: ClassBuilder) -> str:
    return f"{builder.name.replace('.', '/')}.class"


def test_check_compares_only_what_class_files_contain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It ignores where the classes are and how the command line names them."""
    monkeypatch.chdir(tmp_path)
    classes = task(), line(), color(), ClassBuilder("a.A").field("when", "Llib/B;", PUBLIC)
    for jar, order in (("app-1.0.jar", classes), ("app-1.1.jar", classes[::-1])):
        with zipfile.ZipFile(jar, "w") as archive:
            for number, each in enumerate(order):
                named = zipfile.ZipInfo(path_of(each), (2000 + number, 1, 1, 0, 0, 0))
                archive.writestr(named, each.build())
    for each in classes:
        path = tmp_path / "build" / "classes" / path_of(each)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(each.build())
    with zipfile.ZipFile("more.jar", "w") as archive:
        archive.writestr("x/X.class", ClassBuilder("x.X").build())
    names = ["com.example.OrderTask", "a.A"]
    assert cli.main(["schema", "app-1.0.jar", *names, "-o", "tasks.py"]) == 0
    for words in (
        ["app-1.1.jar", *names],
        [str(tmp_path / "app-1.0.jar"), *names],
        ["build/classes", *names],
        ["build/../build/classes/", *names],
        ["more.jar", "app-1.1.jar", *names],
        ["app-1.1.jar", "more.jar", *names],
        ["app-1.1.jar", *reversed(names)],
        [*names, "app-1.1.jar", "a.A"],
    ):
        assert cli.main(["schema", *words, "-o", "tasks.py", "--check"]) == 0, words
    monkeypatch.chdir(tmp_path / "build" / "classes")
    assert cli.main(["schema", ".", *names, "-o", "../../tasks.py", "--check"]) == 0
    output = tmp_path / "tasks.py"
    output.write_bytes(output.read_bytes().replace(b"\n", b"\r\n"))  # git's autocrlf
    assert cli.main(["schema", ".", *names, "-o", str(output), "--check"]) == 0
