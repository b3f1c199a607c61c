"""Parses descriptors and `Signature` attributes (JVMS 4.3, 4.7.9.1) to Java types.

The type of an inner class of a generic class, ``Outer<String>.Inner<Integer>``, keeps only the last
arguments, as `getActualTypeArguments` of Java's reflection does.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from pyredisson.java.types import OBJECT, JavaType, Wildcard

from .model import TypeVariable

__all__ = ["ClassSignature", "class_signature", "field_type", "return_type"]

_PRIMITIVES = {
    "Z": "boolean",
    "B": "byte",
    "C": "char",
    "S": "short",
    "I": "int",
    "J": "long",
    "F": "float",
    "D": "double",
}
_VOID = JavaType("void")
_MAX_DEPTH = 64
_ENDS = frozenset("<>;.:/[")


@dataclass(frozen=True, slots=True)
class ClassSignature:
    """A class's type variables, superclass and interfaces with their arguments."""

    variables: tuple[TypeVariable, ...]
    superclass: JavaType
    interfaces: tuple[JavaType, ...]


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0
        self.depth = 0

    def error(self) -> ValueError:
        shown = self.text if len(self.text) <= 200 else f"{self.text[:200]}…"
        return ValueError(f"{shown!r} is not a valid signature (at {self.place})")

    def peek(self) -> str:
        return self.text[self.place : self.place + 1]

    def skip(self, letter: str) -> bool:
        found = self.peek() == letter
        self.place += found
        return found

    def expect(self, letter: str) -> None:
        if not self.skip(letter):
            raise self.error()

    def word(self) -> str:
        start = self.place
        while self.peek() and self.peek() not in _ENDS:
            self.place += 1
        if start == self.place:
            raise self.error()
        return self.text[start : self.place]

    def type(self) -> JavaType:
        dimensions = 0
        while self.skip("["):
            dimensions += 1
        if dimensions > 255:
            raise self.error()
        letter = self.peek()
        self.place += 1
        if letter in _PRIMITIVES:
            return JavaType(_PRIMITIVES[letter], dimensions=dimensions)
        if letter == "T":
            name = self.word()
            self.expect(";")
            return JavaType(name, dimensions=dimensions, variable=True)
        if letter != "L":
            raise self.error()
        return replace(self.class_type(), dimensions=dimensions)

    def class_type(self) -> JavaType:
        name = self.word()
        while self.skip("/"):
            name += f".{self.word()}"
        arguments = self.arguments()
        while self.skip("."):
            name += f"${self.word()}"
            arguments = self.arguments()
        self.expect(";")
        return JavaType(name, arguments)

    def arguments(self) -> tuple[JavaType, ...]:
        if not self.skip("<"):
            return ()
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise self.error()
        found = [self.argument()]
        while not self.skip(">"):
            found.append(self.argument())
        self.depth -= 1
        return tuple(found)

    def argument(self) -> JavaType:
        if self.skip("*"):
            return replace(OBJECT, wildcard=Wildcard.ANY)
        if self.skip("+"):
            return replace(self.type(), wildcard=Wildcard.EXTENDS)
        if self.skip("-"):
            return replace(self.type(), wildcard=Wildcard.SUPER)
        return self.type()

    def variables(self) -> tuple[TypeVariable, ...]:
        found: list[TypeVariable] = []
        if self.skip("<"):
            while not self.skip(">"):
                name = self.word()
                bounds: list[JavaType] = []
                self.expect(":")
                if self.peek() != ":" and self.peek() in {"L", "T", "["}:
                    bounds.append(self.type())
                while self.skip(":"):
                    bounds.append(self.type())
                found.append(TypeVariable(name, tuple(bounds)))
        return tuple(found)

    def end(self) -> None:
        if self.peek():
            raise self.error()


def field_type(text: str) -> JavaType:
    """Return the type in a field's descriptor or signature.

    Raises:
        ValueError: the text is not a type.
    """
    parser = _Parser(text)
    found = parser.type()
    parser.end()
    return found


def class_signature(text: str) -> ClassSignature:
    """Return the content of a class's `Signature`.

    Raises:
        ValueError: the text is not a class's signature.
    """
    parser = _Parser(text)
    variables = parser.variables()
    superclass = parser.type()
    interfaces: list[JavaType] = []
    while parser.peek():
        interfaces.append(parser.type())
    return ClassSignature(variables, superclass, tuple(interfaces))


def return_type(text: str) -> JavaType:
    """Return the return type in a method's descriptor or signature; `void` is a type, too.

    Raises:
        ValueError: the text is not a method's descriptor or signature.
    """
    parser = _Parser(text)
    parser.variables()
    parser.expect("(")
    while not parser.skip(")"):
        parser.type()
    found = _VOID if parser.skip("V") else parser.type()
    while parser.skip("^"):
        parser.type()
    parser.end()
    return found
