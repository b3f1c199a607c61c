"""Finds classes by name in jars and directories, in the given order, as a JVM does.

The first jar or directory that has a class wins. Jars inside a jar are included (Spring Boot's
``BOOT-INF/lib``, a war's ``WEB-INF/lib``). Of a multi-release jar, the newest version up to Java 17
is used. A file is read when its class is requested, and nothing is unpacked to disk. Limits apply
to the real sizes, not to those that an archive declares.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import IO

from .errors import ClassFileError
from .model import ClassFile
from .reader import MAX_CLASS_SIZE, read_class, read_supertypes

__all__ = ["ClassPath"]

MAX_TOTAL = 1024 * 1024 * 1024
"""Maximum number of bytes that one class path reads in total."""
MAX_ENTRIES = 1_000_000
"""Maximum number of files in all jars of a class path."""
MAX_JAR = 256 * 1024 * 1024
"""Maximum size of a jar inside a jar, in bytes."""

_ROOTS = ("BOOT-INF/classes/", "WEB-INF/classes/")
_LIBRARIES = ("BOOT-INF/lib/", "WEB-INF/lib/")
_VERSIONED = re.compile(r"META-INF/versions/(\d{1,4})/(.+)", re.DOTALL)
_NEWEST = 17
_MULTI_RELEASE = re.compile(rb"^Multi-Release:\s*true\s*$", re.IGNORECASE | re.MULTILINE)
_ZIP_ERRORS = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    OSError,
    RuntimeError,  # encrypted; an unknown compression is its NotImplementedError
    ValueError,
)


class ClassPath:
    """The classes of some jars, directories and `.class` files.

    Args:
        paths: jars, directories and `.class` files; the first path that has a class wins.

    Raises:
        FileNotFoundError: a path does not exist.
        ClassFileError: a file is not a jar, or a directory has no class.
    """

    def __init__(self, paths: Iterable[Path]) -> None:
        self._files: dict[str, Path | tuple[zipfile.ZipFile, zipfile.ZipInfo, str]] = {}
        self._read: dict[str, ClassFile] = {}
        self._entries = 0
        self._budget = MAX_TOTAL
        for path in paths:
            if path.is_dir():
                self._add_directory(path)
            elif not path.exists():
                raise FileNotFoundError(f"{path}: no such jar, directory or class")
            elif path.suffix == ".class":
                found = read_class(_limited(path), str(path))
                self._files.setdefault(found.name, path)
            else:
                self._add_jar(path, str(path))

    def __contains__(self, name: str) -> bool:
        return name in self._files

    def names(self) -> list[str]:
        """Return the names of all classes, sorted."""
        return sorted(self._files)

    def find(self, name: str) -> ClassFile | None:
        """Return a class; None if no path has it.

        Raises:
            ClassFileError: the file is damaged, or contains another class.
        """
        if name not in self._files:
            return None
        found = self._read.get(name)
        if found is None:
            found = self._read[name] = self._load(name)
        return found

    def below(self) -> dict[str, list[str]]:
        """Return, by a class's name, the names of the classes that extend or implement it.

        Files that are damaged, or contain another class, are skipped.
        """
        found: dict[str, list[str]] = {}
        for name in self.names():
            try:
                own, above = read_supertypes(*self._data(name))
            except ClassFileError:
                continue  # `find` raises the error if the class is requested
            for each in above if own == name else ():
                found.setdefault(each, []).append(name)
        return found

    def _load(self, name: str) -> ClassFile:
        data, label = self._data(name)
        found = read_class(data, label)
        if found.name != name:
            raise ClassFileError(f"{label}: contains the class {found.name}, not {name}")
        return found

    def _data(self, name: str) -> tuple[bytes, str]:
        place = self._files[name]
        if isinstance(place, Path):
            data, label = _limited(place), str(place)
        else:
            archive, info, jar = place
            label = f"{jar}!{info.filename}"
            data = _unpacked(archive, info, label, MAX_CLASS_SIZE)
        self._budget -= len(data)
        if self._budget < 0:
            raise ClassFileError(f"{label}: more than {MAX_TOTAL} bytes of classes")
        return data, label

    def _add_directory(self, root: Path) -> None:
        paths = sorted(root.rglob("*.class"))
        if not paths:
            raise ClassFileError(f"{root}: has no .class files; if it has jars, use {root}/*.jar")
        for path in paths:
            name = ".".join(path.relative_to(root).with_suffix("").parts)
            self._files.setdefault(name, path)

    def _add_jar(self, source: Path | IO[bytes], label: str, *, nested: bool = False) -> None:
        try:
            archive = zipfile.ZipFile(source)
        except _ZIP_ERRORS as error:
            raise ClassFileError(f"{label}: not a jar: {error}") from None
        entries = archive.infolist()
        self._entries += len(entries)
        if self._entries > MAX_ENTRIES:
            raise ClassFileError(f"{label}: more than {MAX_ENTRIES} files")
        for name, info in _classes(archive, label).items():
            self._files.setdefault(name, (archive, info, label))
        for info in entries if not nested else ():
            if info.filename.startswith(_LIBRARIES) and info.filename.endswith(".jar"):
                self._add_library(archive, info, f"{label}!{info.filename}")

    def _add_library(self, archive: zipfile.ZipFile, info: zipfile.ZipInfo, label: str) -> None:
        if info.file_size > MAX_JAR:
            raise ClassFileError(f"{label}: larger than {MAX_JAR} bytes")
        try:
            source = archive.open(info)
        except _ZIP_ERRORS as error:
            raise ClassFileError(f"{label}: cannot be read: {error}") from None
        self._add_jar(source, label, nested=True)


def _limited(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(MAX_CLASS_SIZE + 1)


def _unpacked(archive: zipfile.ZipFile, info: zipfile.ZipInfo, label: str, limit: int) -> bytes:
    try:
        with archive.open(info) as file:
            return file.read(limit + 1)
    except _ZIP_ERRORS as error:
        raise ClassFileError(f"{label}: cannot be read: {error}") from None


def _classes(archive: zipfile.ZipFile, label: str) -> dict[str, zipfile.ZipInfo]:
    """Return the classes of a jar, each in its newest supported version."""
    found: dict[str, tuple[int, zipfile.ZipInfo]] = {}
    versions = _is_multi_release(archive, label)
    for info in archive.infolist():
        path, version = info.filename, 0
        match = _VERSIONED.fullmatch(path)
        if match is not None:
            version, path = int(match[1]), match[2]
            if not versions or version > _NEWEST:
                continue
        for root in _ROOTS:
            path = path.removeprefix(root)
        if path.endswith(".class") and not path.startswith("META-INF/"):
            name = path.removesuffix(".class").replace("/", ".")
            if name not in found or found[name][0] < version:
                found[name] = version, info
    return {name: info for name, (_, info) in found.items()}


def _is_multi_release(archive: zipfile.ZipFile, label: str) -> bool:
    try:
        info = archive.getinfo("META-INF/MANIFEST.MF")
    except KeyError:
        return False
    return _MULTI_RELEASE.search(_unpacked(archive, info, label, MAX_CLASS_SIZE)) is not None
