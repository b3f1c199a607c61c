"""Finds the requested classes, and all classes that their bytes may contain.

A pattern names a class (``com.example.Outer$Inner``, or with a dot in front of Inner), a package
(``com.example.*``), or a package and all below it (``com.example.**``).

Classes that share the first two parts of their package with a requested one belong to the
application; all others to a library. Of the implementations of a library's interface or abstract
class, only the application's are included, and a library's that are meant as values (Serializable,
a record, an enum). So a field with a client or a service does not include its whole library.
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
    """The arguments select no class; the message names them."""


@dataclass(slots=True)
class Selection:
    """The classes that were found.

    Attributes:
        classes: by JVM name, in the order in which they were reached.
        missing: a class that is in no jar or directory -> the places that refer to it.
        rejected: a class that no schema can describe -> the reason.
        declared: the classes that fields, bounds and the command line name as types of values.
        open: all examined classes; the bytes may contain their subclasses, too.
        reached: a class -> the class that refers to it (None: the command line), and the place.
        passed: a library's class that is not included -> its interface or superclass.
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
    """Return the classes that match, and the classes to which they refer.

    Args:
        path: the available classes.
        patterns: names; see the module's docstring.
        json: describe getters and Jackson's annotations, too.
        subclasses: the subclasses to include: those of declared interfaces and abstract classes
            (None), of all classes (True), only permitted ones (False).

    Raises:
        SelectionError: no class matches a pattern.
        ClassFileError: a file is damaged.
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
    _reject_below(found)
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
    """Include subclasses and implementations of the classes; all of them if no `application`."""
    below: dict[str, list[str]] | None = None  # it reads all files, so only if necessary
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
                inherited.add(name)  # even if it is not included: the application may extend it
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
    """Return the declared types that are abstract, so that values are of their subclasses."""
    here = found.declared & found.open
    files = ((name, path.find(name)) for name in here)
    return {name for name, file in files if file is not None and file.flags & _ABSTRACT}


def _reject_below(found: Selection) -> None:
    """Leave out classes that extend themselves, or whose superclass is left out."""
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
            raise SelectionError(f"{pattern}: a star must stand for a whole package, as in a.b.*")
        deep = pattern.endswith("**")
        names = [
            name
            for name in path.names()
            if name.startswith(package) and (deep or "." not in name[len(package) :])
        ]
        found = [name for name in names if _is_value(path, name)]
        if not found:
            raise SelectionError(f"{pattern}: no such package in the given jars and directories")
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
        return (
            f"{pattern}: a class of the JDK cannot have a schema; the codecs support some of them"
        )
    similar = [name for name in path.names() if _simple(name) == _simple(pattern)]
    hint = f"; there is {', '.join(similar[:5])}" if similar else ""
    return f"{pattern}: no such class in the given jars and directories{hint}"


def _simple(name: str) -> str:
    return name.rpartition(".")[2].rpartition("$")[2].lower()


def _is_value(path: ClassPath, name: str) -> bool:
    file = path.find(name)
    return file is not None and not (file.is_hidden or file.is_interface or is_jdk(name))
