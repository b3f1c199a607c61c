"""Chooses Python names: Java's own where Python permits them.

* A keyword, or a name that a generated module uses itself, gets a trailing underscore.
* A nested class is ``OuterInner``.
* Classes with the same simple name get the last word of their package in front.
* A field with the name of a superclass's field is ``Class_name``.
"""

from __future__ import annotations

import builtins
import keyword
import re
import unicodedata
from collections.abc import Collection, Iterable

from pyredisson.classfile import ClassFile

from .java_text import source_names

__all__ = ["attribute_names", "class_names", "identifier", "is_plain"]

USED = frozenset(
    [
        *("Annotated", "Any", "Decimal", "Enum", "JValue", "JZonedDateTime", "JavaField", "UUID"),
        *("annotations", "auto"),
        *("bool", "bytes", "dataclass", "dict", "dt", "float", "int", "java_class", "java_enum"),
        *("list", "property", "set", "str"),
    ]
)
"""The names that a generated module imports or uses from `builtins`."""

_BUILTIN_CLASSES = frozenset(name for name in dir(builtins) if name[0].isupper())
_NOT_IN_NAMES = re.compile(r"\W")


def identifier(name: str) -> str:
    """Return a valid Python name: other characters become underscores."""
    found = _NOT_IN_NAMES.sub("_", unicodedata.normalize("NFKC", name))
    if not found.isidentifier():
        found = f"_{found}"
    return f"{found}_" if keyword.iskeyword(found) else found


def is_plain(name: str) -> bool:
    """Return whether a name is a valid Python identifier without a special meaning."""
    normal = unicodedata.normalize("NFKC", name) == name
    return normal and name.isidentifier() and not keyword.iskeyword(name) and name[:2] != "__"


def class_names(files: Iterable[ClassFile]) -> dict[str, str]:
    """Return the Python name of each class by its JVM name; the order of files does not matter."""
    ordered = sorted(files, key=lambda file: file.name)
    names = {file.name: identifier("".join(source_names(file))) for file in ordered}
    taken = {*USED, *_BUILTIN_CLASSES}
    for depth in range(1, 1 + max((name.count(".") for name in names), default=0)):
        twice = _twice(names.values())
        for file in ordered:
            words = file.name.split(".")[:-1]
            if names[file.name] in twice and depth <= len(words):
                word = identifier(words[-depth])
                names[file.name] = word[:1].upper() + word[1:] + names[file.name]
    found: dict[str, str] = {}
    for file in ordered:
        found[file.name] = _free(names[file.name], taken)
        taken.add(found[file.name])
    return found


def attribute_names(
    fields: Iterable[str], class_name: str, taken: Collection[str], above: Collection[str]
) -> dict[str, str]:
    """Return the Python name of each field of a class.

    Args:
        fields: Java's names.
        class_name: the class's Python name.
        taken: names that the fields must not have: those of classes and methods.
        above: names of the superclasses' attributes.
    """
    found: dict[str, str] = {}
    used = {*USED, *taken, *above}
    for name in fields:
        chosen = identifier(name)
        if chosen.startswith("__"):  # Python would mangle the name
            chosen = f"_{chosen.lstrip('_')}"
        if chosen in above:
            chosen = f"{class_name}_{chosen}"
        found[name] = _free(chosen, used)
        used.add(found[name])
    return found


def _twice(names: Iterable[str]) -> set[str]:
    seen: set[str] = set()
    twice: set[str] = set()
    for name in names:
        (twice if name in seen else seen).add(name)
    return twice


def _free(name: str, taken: Collection[str]) -> str:
    while name in taken:
        name += "_"
    return name
