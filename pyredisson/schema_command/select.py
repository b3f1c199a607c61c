"""Finds the classes that were asked for, and all that their bytes may hold.

A name is a class's (``com.example.Outer$Inner``, or with a dot before Inner), a package's
(``com.example.*``), or that of a package and all below it (``com.example.**``).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from pyredisson.classfile import Access, ClassFileError, ClassPath

from .describe import Description, describe
from .java_text import is_jdk

__all__ = ["Selection", "SelectionError", "select"]


class SelectionError(ValueError):
    """A name that no class of the given jars and directories has; the message says it."""


@dataclass(slots=True)
class Selection:
    """What was found.

    Attributes:
        classes: by JVM name, in the order in which they were reached.
        missing: a class that is in none of the places -> what refers to it.
        refused: a class that no schema can describe -> why.
        declared: those that fields, bounds and the command line name as types of values.
        open: all that were looked at; their subclasses may be in the bytes, too.
    """

    classes: dict[str, Description] = field(default_factory=dict)
    missing: dict[str, list[str]] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    declared: set[str] = field(default_factory=set)
    open: set[str] = field(default_factory=set)


def select(
    path: ClassPath, patterns: Iterable[str], *, json: bool = True, subclasses: bool | None = None
) -> Selection:
    """Return the classes that match, and those that they refer to.

    Args:
        path: where to look.
        patterns: names, see above.
        json: describe getters and Jackson's annotations, too.
        subclasses: which of those that are there come along: of interfaces and abstract classes
            that are declared (None), of all classes (True), none but permitted ones (False).

    Raises:
        SelectionError: a pattern that nothing matches.
        ClassFileError: a damaged file.
    """
    found = Selection()
    for pattern in patterns:
        for name in _matches(path, pattern):
            if "*" not in pattern:
                found.declared.add(name)
            _follow(path, name, "the command line", found, json=json)
    if subclasses is not False:
        _follow_subclasses(path, found, json=json, every=subclasses is True)
    _refuse_below(found)
    return found


def _follow(path: ClassPath, first: str, where: str, found: Selection, *, json: bool) -> None:
    waiting = [(first, where)]
    while waiting:
        name, where = waiting.pop(0)
        if is_jdk(name) or name in found.open:
            continue
        file = path.find(name)
        if file is None:
            found.missing.setdefault(name, []).append(where)
            continue
        found.open.add(name)
        if not file.is_enum_body:
            try:
                described = describe(file, path.find, json=json)
            except ClassFileError:
                raise
            except ValueError as error:
                found.refused[name] = str(error)
            else:
                found.classes[name] = described
                found.declared.update(each for each, _ in described.declared())
                waiting.extend(described.references())


def _follow_subclasses(path: ClassPath, found: Selection, *, json: bool, every: bool) -> None:
    below: dict[str, list[str]] | None = None  # reads all files, so not before it is needed
    inherited: set[str] = set()
    done: set[str] = set()
    while todo := sorted((found.open if every else inherited | _abstract(path, found)) - done):
        done.update(todo)
        below = path.below() if below is None else below
        for parent in todo:
            for name in below.get(parent, ()):
                file = path.find(name)
                if file is not None and not file.is_hidden:
                    inherited.add(name)
                    _follow(path, name, f"subclasses of {parent}", found, json=json)


def _abstract(path: ClassPath, found: Selection) -> set[str]:
    """Return the declared types of which only subclasses have values."""
    flags = Access.INTERFACE | Access.ABSTRACT
    here = found.declared & found.open
    return {name for name in here if (file := path.find(name)) is not None and file.flags & flags}


def _refuse_below(found: Selection) -> None:
    """Leave out what has fields of a class that is left out, or of itself."""
    for each in [*found.classes.values()]:
        above, seen = [*each.supertypes()], set[str]()
        while above:
            name = above.pop()
            if name == each.name:
                del found.classes[name]
                found.refused[name] = "it is its own superclass"
                break
            if name not in seen and name in found.classes:
                seen.add(name)
                above.extend(found.classes[name].supertypes())
    while below := [
        each.name
        for each in found.classes.values()
        if each.parent is not None and each.parent.name in found.refused
    ]:
        for name in below:
            del found.classes[name]
            found.refused[name] = "its superclass is left out"


def _matches(path: ClassPath, pattern: str) -> list[str]:
    if pattern.endswith("*"):
        package = pattern.rstrip("*")
        if package and not package.endswith("."):
            raise SelectionError(f"{pattern}: a star stands for all classes of a package: a.b.*")
        deep = pattern.endswith("**")
        names = [
            name
            for name in path.names()
            if name.startswith(package) and (deep or "." not in name[len(package) :])
        ]
        found = [name for name in names if _is_value(path, name)]
        if not found:
            raise SelectionError(f"{pattern}: no class of this package is there")
        return found
    name = pattern
    while name not in path and "." in name:
        outer, _, inner = name.rpartition(".")
        name = f"{outer}${inner}"
    if name not in path:
        raise SelectionError(_unknown(path, pattern))
    return [name]


def _unknown(path: ClassPath, pattern: str) -> str:
    if is_jdk(pattern):
        return f"{pattern}: a class of the JDK; the codecs know those that they can read"
    similar = [name for name in path.names() if _simple(name) == _simple(pattern)]
    hint = f"; there is {', '.join(similar[:5])}" if similar else ""
    return f"{pattern}: no such class in the given jars and directories{hint}"


def _simple(name: str) -> str:
    return name.rpartition(".")[2].rpartition("$")[2].lower()


def _is_value(path: ClassPath, name: str) -> bool:
    file = path.find(name)
    return file is not None and not (file.is_hidden or file.is_interface or is_jdk(name))
