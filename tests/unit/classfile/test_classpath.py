"""Class paths: directories, jars, jars inside jars, and limits of sizes."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from pyredisson.classfile import ClassFileError, ClassPath, classpath
from tests.unit.classfile.assembler import ClassBuilder

MANIFEST = "META-INF/MANIFEST.MF"


def data(name: str, field: str = "plain") -> bytes:
    return ClassBuilder(name).field(field, "I").build()


def jar(entries: dict[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def write(path: Path, content: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def field_of(path: ClassPath, name: str) -> str:
    found = path.find(name)
    assert found is not None
    assert found.name == name
    return found.fields[0].name


def test_directories_jars_and_files(tmp_path: Path) -> None:
    write(tmp_path / "classes" / "com" / "example" / "A.class", data("com.example.A", "dir"))
    archive = write(
        tmp_path / "app.jar",
        jar({"com/example/A.class": data("com.example.A", "jar"), "B.class": data("B")}),
    )
    single = write(tmp_path / "Any.class", data("com.example.C"))
    path = ClassPath([tmp_path / "classes", archive, single])
    assert path.names() == ["B", "com.example.A", "com.example.C"]
    assert "B" in path
    assert "D" not in path
    assert path.find("D") is None
    assert field_of(path, "com.example.A") == "dir"
    assert field_of(path, "B") == "plain"
    assert path.find("B") is path.find("B")
    assert field_of(path, "com.example.C") == "plain"
    assert field_of(ClassPath([archive, tmp_path / "classes"]), "com.example.A") == "jar"


def multi_release(manifest: bytes | None) -> dict[str, bytes]:
    found = {
        "META-INF/versions/9/A.class": data("A", "nine"),
        "A.class": data("A", "base"),
        "META-INF/versions/17/A.class": data("A", "seventeen"),
        "META-INF/versions/11/A.class": data("A", "eleven"),
        "META-INF/versions/21/A.class": data("A", "twentyone"),
        "META-INF/versions/x/A.class": data("A", "x"),
        "META-INF/other/A.class": data("A", "other"),
        "module-info.class": b"",
    }
    return found if manifest is None else {MANIFEST: manifest, **found}


@pytest.mark.parametrize(
    ("manifest", "expected"),
    [
        (b"Manifest-Version: 1.0\r\nMulti-Release: true\r\n", "seventeen"),
        (b"multi-release:TRUE\n", "seventeen"),
        (b"Multi-Release: false\n", "base"),
        (b"", "base"),
        (None, "base"),
    ],
)
def test_multi_release_jars(tmp_path: Path, manifest: bytes | None, expected: str) -> None:
    path = ClassPath([write(tmp_path / "a.jar", jar(multi_release(manifest)))])
    assert field_of(path, "A") == expected
    assert path.names() == ["A", "module-info"]


@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
@pytest.mark.parametrize("root", ["BOOT-INF", "WEB-INF"])
def test_jars_in_jars(tmp_path: Path, root: str, compression: int) -> None:
    library = jar({"lib/L.class": data("lib.L"), "BOOT-INF/lib/deep.jar": b"not opened"})
    content = {
        f"{root}/classes/app/A.class": data("app.A"),
        f"{root}/lib/l.jar": library,
        f"{root}/lib/readme.txt": b"",
        "other/lib.jar": b"no jar",
    }
    path = ClassPath([write(tmp_path / "app.jar", jar(content, compression))])
    assert path.names() == ["app.A", "lib.L"]
    assert field_of(path, "lib.L") == "plain"


def test_missing_or_empty_paths_are_rejected(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"no\.jar: no such"):
        ClassPath([tmp_path / "no.jar"])
    with pytest.raises(ClassFileError, match=r": has no \.class files; "):
        ClassPath([tmp_path])


def test_damaged_jars_are_rejected(tmp_path: Path) -> None:
    with pytest.raises(ClassFileError, match=r"a\.jar: not a jar: "):
        ClassPath([write(tmp_path / "a.jar", b"PK nothing")])
    broken = jar({"BOOT-INF/lib/l.jar": b"nothing"})
    with pytest.raises(ClassFileError, match=r"b\.jar!BOOT-INF/lib/l\.jar: not a jar: "):
        ClassPath([write(tmp_path / "b.jar", broken)])


def test_file_that_contains_another_class_is_rejected(tmp_path: Path) -> None:
    path = ClassPath([write(tmp_path / "a.jar", jar({"a/A.class": data("b.B")}))])
    with pytest.raises(
        ClassFileError, match=r"a\.jar!a/A\.class: contains the class b\.B, not a\.A"
    ):
        path.find("a.A")


def test_damaged_files_are_named(tmp_path: Path) -> None:
    content = bytearray(jar({"A.class": data("A"), "B.class": b"nothing"}, zipfile.ZIP_STORED))
    content[content.index(b"\xca\xfe\xba\xbe")] ^= 0xFF
    path = ClassPath([write(tmp_path / "a.jar", bytes(content))])
    with pytest.raises(ClassFileError, match=r"a\.jar!A\.class: cannot be read: Bad CRC"):
        path.find("A")
    with pytest.raises(ClassFileError, match=r"a\.jar!B\.class: not a class file"):
        path.find("B")
    single = write(tmp_path / "C.class", b"nothing")
    with pytest.raises(ClassFileError, match=r"C\.class: not a class file"):
        ClassPath([single])


def test_subclasses_of_each_class_are_listed(tmp_path: Path) -> None:
    """Files that cannot be read are ignored."""
    sub = ClassBuilder("a.Sub", "a.Base", interfaces=["a.I", "a.J"]).build()
    content = {
        "a/Sub.class": sub,
        "elsewhere/a/Sub.class": sub,
        "a/Text.class": b"text",
        "a/Base.class": ClassBuilder("a.Base", interfaces=["a.I"]).build(),
        "java/lang/Object.class": ClassBuilder("java.lang.Object", None).build(),
    }
    found = ClassPath([write(tmp_path / "app.jar", jar(content))]).below()
    assert found == {
        "a.Base": ["a.Sub"],
        "a.I": ["a.Base", "a.Sub"],
        "a.J": ["a.Sub"],
        "java.lang.Object": ["a.Base"],
    }


def test_encrypted_files(tmp_path: Path) -> None:
    content = bytearray(jar({"BOOT-INF/lib/l.jar": jar({})}))
    for signature, flags in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        content[content.index(signature) + flags] |= 1
    with pytest.raises(ClassFileError, match=r"l\.jar: cannot be read: .*encrypted"):
        ClassPath([write(tmp_path / "a.jar", bytes(content))])


def test_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = write(tmp_path / "bomb.jar", jar({"A.class": data("A") + bytes(17 * 1024 * 1024)}))
    with pytest.raises(ClassFileError, match="larger than 16777216 bytes"):
        ClassPath([bomb]).find("A")
    two = write(tmp_path / "two.jar", jar({"A.class": data("A"), "B.class": data("B")}))
    monkeypatch.setattr(classpath, "MAX_TOTAL", len(data("A")) + 1)
    path = ClassPath([two])
    path.find("A")
    with pytest.raises(ClassFileError, match=r"more than \d+ bytes of classes"):
        path.find("B")
    monkeypatch.setattr(classpath, "MAX_ENTRIES", 1)
    with pytest.raises(ClassFileError, match="more than 1 files"):
        ClassPath([two])
    monkeypatch.setattr(classpath, "MAX_JAR", 10)
    nested = write(tmp_path / "n.jar", jar({"BOOT-INF/lib/l.jar": jar({})}))
    with pytest.raises(ClassFileError, match="larger than 10 bytes"):
        ClassPath([nested])
