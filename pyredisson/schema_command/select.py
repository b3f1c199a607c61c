"""Finds the classes that were asked for, and all that their bytes may hold.

A name is a class's (``com.example.Outer$Inner``, or with a dot before Inner), a package's
(``com.example.*``), or that of a package and all below it (``com.example.**``).

The application is all that shares the first two parts of its package with one of these; all else
is a library.  The rule: of what can stand for an interface or abstract class of a library, only
the application's classes come along, and what a library made to be a value (Serializable, a
record, an enum).  So a field that holds a client or a service does not bring its whole library.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from pyredisson.classfile import Access, ClassFileError, ClassPath

from .describe import Description, describe, is_data
from .java_text import is_jdk

__all__ = ["Selection", "SelectionError", "select"]

_ABSTRACT = Access.INTERFACE | Access.ABSTRACT


class SelectionError(ValueError):
    """A name that no class of the given jars and directories has; the message says it."""


@dataclass(slots=True)
class Selection:
    """What was found.

    Attributes:
        classes: by JVM name, in the order in which they were reached.
        missing: a class that is in none of the places -> what refers to it.
        rejected: a class that no schema can describe -> why.
        declared: those that fields, bounds and the command line name as types of values.
        open: all that were looked at; their subclasses may be in the bytes, too.
        reached: a class -> the class that refers to it, None for the command line, and where.
        passed: a library's class that stays behind -> its interface or superclass.
    """

    classes: dict[str, Description] = field(default_factory=dict)
    missing: dict[str, list[str]] = field(default_factory=dict)
    rejected: dict[str, str] = field(default_factory=dict)
    declared: set[str] = field(default_factory=set)
    open: set[str] = field(default_factory=set)
    reached: dict[str, tuple[str | None, str]] = field(default_factory=dict)
    passed: dict[str, str] = field(default_factory=dict)


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
    application: set[str] = set()
    for pattern in patterns:
        for name in _matches(path, pattern):
            application.add(_root(name))
            if "*" not in pattern:
                found.declared.add(name)
            _follow(path, name, (None, "the command line"), found, json=json)
    if subclasses is not False:
        chosen = None if subclasses else application
        _follow_subclasses(path, found, chosen, json=json)
    _refuse_below(found)
    return found


def _follow(
    path: ClassPath, first: str, via: tuple[str | None, str], found: Selection, *, json: bool
) -> None:
    waiting = [(first, via)]
    while waiting:
        name, via = waiting.pop(0)
        if is_jdk(name) or name in found.open:
            continue
        file = path.find(name)
        if file is None:
            found.missing.setdefault(name, []).append(via[1])
            continue
        found.open.add(name)
        found.reached[name] = via
        if not file.is_enum_body:
            try:
                described = describe(file, path.find, json=json)
            except ClassFileError:
                raise
            except ValueError as error:
                found.rejected[name] = str(error)
            else:
                found.classes[name] = described
                found.declared.update(each for each, _ in described.declared())
                waiting.extend((each, (name, where)) for each, where in described.references())


def _follow_subclasses(
    path: ClassPath, found: Selection, application: set[str] | None, *, json: bool
) -> None:
    """Follow what extends or implements what was found; without `application` all of it."""
    below: dict[str, list[str]] | None = None  # reads all files, so not before it is needed
    every = application is None
    inherited: set[str] = set()
    done: set[str] = set()
    while todo := sorted((found.open if every else inherited | _abstract(path, found)) - done):
        done.update(todo)
        below = path.below() if below is None else below
        for parent in todo:
            for name in below.get(parent, ()):
                file = path.find(name)
                if file is None or file.is_hidden:
                    continue
                inherited.add(name)  # also where it stays behind: the application may extend it
                roots = {_root(parent), _root(name)}
                if every or not roots.isdisjoint(application or ()) or is_data(file, path.find):
                    via = (parent, f"subclasses of {parent}")
                    _follow(path, name, via, found, json=json)
                elif not file.flags & _ABSTRACT:
                    found.passed[name] = parent
    for name in found.open & found.passed.keys():
        del found.passed[name]


def _root(name: str) -> str:
    """Return the first two parts of a class's package."""
    return ".".join(name.split(".")[:-1][:2])


def _abstract(path: ClassPath, found: Selection) -> set[str]:
    """Return the declared types of which only subclasses have values."""
    here = found.declared & found.open
    files = ((name, path.find(name)) for name in here)
    return {name for name, file in files if file is not None and file.flags & _ABSTRACT}


def _refuse_below(found: Selection) -> None:
    """Leave out what has fields of a class that is left out, or of itself."""
    for each in [*found.classes.values()]:
        above, seen = [*each.supertypes()], set[str]()
        while above:
            name = above.pop()
            if name == each.name:
                del found.classes[name]
                found.rejected[name] = "it is its own superclass"
                break
            if name not in seen and name in found.classes:
                seen.add(name)
                above.extend(found.classes[name].supertypes())
    while below := [
        each.name
        for each in found.classes.values()
        if each.parent is not None and each.parent.name in found.rejected
    ]:
        for name in below:
            del found.classes[name]
            found.rejected[name] = "its superclass is left out"


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
