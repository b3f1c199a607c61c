"""Writes Java types as the text of a schema, with short names if `parse_type` knows them.

Each text is parsed again before it is used, so that a schema never has another type.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import cache

from pyredisson.classfile import ClassFile, TypeVariable
from pyredisson.java.names import PRIMITIVES
from pyredisson.java.types import OBJECT, JavaType, Wildcard, parse_type

__all__ = ["is_jdk", "java_text", "names_in", "scoped", "source_names", "variable_text"]

_JDK = (
    *("java.", "jdk.", "sun.", "com.sun.", "org.w3c.dom.", "org.xml.sax.", "org.ietf.jgss."),
    *("javax.accessibility.", "javax.annotation.processing.", "javax.crypto.", "javax.imageio."),
    *("javax.lang.model.", "javax.management.", "javax.naming.", "javax.net.", "javax.print."),
    *("javax.rmi.", "javax.script.", "javax.security.", "javax.sound.", "javax.sql."),
    *("javax.swing.", "javax.tools.", "javax.transaction.xa.", "javax.xml."),
)


def is_jdk(name: str) -> bool:
    """Return whether a class is the JDK's; such a class has no schema, only codecs support it."""
    return name.startswith(_JDK)


def names_in(found: JavaType) -> Iterator[str]:
    """Yield the names of all classes in a type, itself and its arguments."""
    ordinary = not found.variable and found.name not in PRIMITIVES
    if ordinary and found.wildcard is not Wildcard.ANY:
        yield found.name
    for each in found.arguments:
        yield from names_in(each)


def scoped(found: JavaType, variables: Collection[str], erased: JavaType = OBJECT) -> JavaType:
    """Replace type variables of outer classes.

    If such a variable is the whole type, it becomes `erased`; as an argument it becomes ``?``.
    """
    if found.variable and found.name not in variables:
        return erased
    arguments = tuple(
        scoped(each, variables, replace(OBJECT, wildcard=Wildcard.ANY)) for each in found.arguments
    )
    return replace(found, arguments=arguments)


def java_text(found: JavaType, variables: Collection[str] = ()) -> str:
    """Return a type as in Java source.

    Raises:
        ValueError: the type has a name that a schema cannot contain.
    """
    text = _text(found, variables)
    if parse_type(text, variables) != found:
        raise ValueError(f"a schema cannot contain the type {found}")
    return text


def variable_text(variable: TypeVariable, variables: Collection[str]) -> str:
    """Return the declaration of a type variable: ``T extends Number & Comparable<T>``.

    Raises:
        ValueError: a bound has a name that a schema cannot contain.
    """
    bounds = " & ".join(java_text(scoped(each, variables), variables) for each in variable.bounds)
    plain = bounds in {"", "Object"}
    return variable.name if plain else f"{variable.name} extends {bounds}"


def source_names(found: ClassFile) -> list[str]:
    """Return a class's simple names from the outermost to its own, without the package."""
    rows = {row.name: row for row in found.inner}
    name = found.name
    parts: list[str] = []
    while (row := rows.get(name)) is not None and row.outer and row.simple and len(parts) < 64:
        parts.append(row.simple)
        name = row.outer
    return [name.rpartition(".")[2], *reversed(parts)]


def _text(found: JavaType, variables: Collection[str]) -> str:
    if found.wildcard is Wildcard.ANY:
        return "?"
    prefix = f"{found.wildcard.value} " if found.wildcard is not Wildcard.NONE else ""
    plain = found.variable or found.name in PRIMITIVES
    name = found.name if plain else _short(found.name, variables)
    arguments = ", ".join(_text(each, variables) for each in found.arguments)
    return f"{prefix}{name}{f'<{arguments}>' if arguments else ''}{'[]' * found.dimensions}"


def _short(name: str, variables: Collection[str]) -> str:
    simple = name.rpartition(".")[2]
    if simple not in variables and _known(simple) == name:
        return simple
    return name if "." in name else f".{name}"


@cache
def _known(simple: str) -> str | None:
    try:
        return parse_type(simple).name
    except ValueError:
        return None
