"""Type arguments as Kryo tracks them, including its oddities.

Kryo resolves a field's generic type against the class that it serializes (`Generic`). It binds the
arguments of the position's type to the variables of the object there (`bindings`), and keeps the
bindings visible in all nested objects. This module does exactly what
`com.esotericsoftware.kryo.util.DefaultGenerics`, `Generics` and `GenericsUtil` (5.4.0 to 5.6.2) do,
even where it looks wrong, because Java's reader does the same.

A variable is a pair: the JVM name of the declaring class, and its name.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from pyredisson.java.names import array_class
from pyredisson.java.schema import ClassSchema
from pyredisson.java.types import JavaType, Wildcard

__all__ = ["Arguments", "Bindings", "Generic", "Hierarchy", "class_name_of", "resolve"]

Variable = tuple[str, str]
Bindings = list[tuple[Variable, str]]


def class_name_of(name: str, dimensions: int) -> str:
    """Return the JVM's name of a class, or of an array of it."""
    return array_class(name + "[]" * (dimensions - 1)) if dimensions else name


@dataclass(frozen=True, slots=True)
class Generic:
    """A type as Kryo keeps it: a raw class or a variable, and its arguments.

    `raw` is the JVM's name of the class, None for a variable that is not bound by an
    extends clause; `arguments` is None where Kryo has none (not the same as empty).
    """

    raw: str | None
    variable: Variable | None
    arguments: tuple[Generic, ...] | None = None

    def resolve(self, bindings: Bindings) -> str | None:
        """Return the raw class, if it is currently known."""
        if self.variable is None:
            return self.raw
        for variable, raw in reversed(bindings):
            if variable == self.variable:
                return raw
        return None


Arguments = tuple[Generic, ...] | None
"""The type arguments of a position; None where it has none."""


def resolve(owner: ClassSchema, to: ClassSchema, declared: JavaType) -> Generic:
    """Resolve the declared type of a field of `owner` in an object of class `to`."""
    if declared.wildcard is not Wildcard.NONE or not (declared.dimensions or declared.arguments):
        return _leaf(_raw(owner, to, declared, owner))
    if not declared.dimensions:
        arguments = tuple(resolve(owner, to, each) for each in declared.arguments)
        return Generic(declared.name, None, arguments)
    if not (declared.variable or declared.arguments):
        return Generic(class_name_of(declared.name, declared.dimensions), None)
    inner = resolve(owner, to, replace(declared, dimensions=0))
    if inner.raw is None:
        return inner
    return replace(inner, raw=_array(inner.raw, declared.dimensions))


def _leaf(found: str | Variable) -> Generic:
    return Generic(found, None) if isinstance(found, str) else Generic(None, found)


def _array(raw: str, dimensions: int) -> str:
    if raw.startswith("["):
        return "[" * dimensions + raw
    return class_name_of(raw, dimensions)


def _raw(
    owner: ClassSchema, to: ClassSchema, declared: JavaType, scope: ClassSchema
) -> str | Variable:
    """Return the raw class of a type in `scope`, or the variable that stays unbound."""
    if declared.wildcard is not Wildcard.NONE:
        return _raw(owner, to, replace(declared, wildcard=Wildcard.NONE), scope)
    if declared.variable:
        found = _variable(owner, to, (scope.class_name, declared.name), first=True)
        if declared.dimensions and isinstance(found, str):
            return _array(found, declared.dimensions)
        return found
    return class_name_of(declared.name, declared.dimensions)


def _variable(
    owner: ClassSchema, current: ClassSchema, variable: Variable, *, first: bool
) -> str | Variable:
    """Follow a variable through the extends clauses from `current` up to `owner`, by name."""
    parent = current.parent
    if current.extends is None or not current.extends.arguments or parent is None:
        return variable
    if parent.class_name != owner.class_name:
        found = _variable(owner, parent, variable, first=False)
        if isinstance(found, str):
            return found
        variable = found
    for name, argument in zip(parent.variables, current.extends.arguments, strict=False):
        if name != variable[1]:
            continue
        if argument.variable and not argument.dimensions:
            return variable if first else (current.class_name, argument.name)
        return _raw(owner, current, argument, current)
    return variable


class Hierarchy:
    """The variables of a class and of its superclasses, in the order in which Kryo binds them."""

    __slots__ = ("counts", "parameters", "roots")

    def __init__(self, schema: ClassSchema) -> None:
        self.counts: list[int] = []
        self.parameters: list[Variable] = []
        self.roots = len(schema.variables)
        current: ClassSchema | None = schema
        while current is not None:
            for name in current.variables:
                chain = _chain(current, name)
                self.parameters.extend(chain)
                self.counts.append(len(chain))
            current = current.parent

    def bind(self, arguments: tuple[Generic, ...], bindings: Bindings) -> None:
        """Push the bindings of the arguments; as in Kryo, an unknown one shifts the rest."""
        if not self.parameters or not self.roots <= len(arguments) <= len(self.counts):
            return
        place = 0
        for count, argument in zip(self.counts, arguments, strict=False):
            raw = argument.resolve(bindings)
            if raw is not None:
                chain = self.parameters[place : place + count]
                bindings.extend((each, raw) for each in chain)
                place += count


def _chain(schema: ClassSchema, name: str) -> list[Variable]:
    """Return a variable, and the superclasses' variables that it is passed to."""
    found = [(schema.class_name, name)]
    current = schema
    while current.extends is not None and current.extends.arguments:
        parent = current.parent
        if parent is None:
            break
        for variable, argument in zip(parent.variables, current.extends.arguments, strict=False):
            same = found[-1] == (current.class_name, argument.name)
            if same and argument.variable and not argument.dimensions:
                found.append((parent.class_name, variable))
        current = parent
    return found
