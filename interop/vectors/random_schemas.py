"""Random Java classes, as Java source and as Python schemas of the same.

The rule: one description, written twice, so that a difference in bytes is the codec's.
"""

from __future__ import annotations

import enum
from random import Random
from typing import Annotated, Any

from pyredisson.java.schema import ClassSchema, JavaField, java_class, java_enum, schema_of

PACKAGE = "com.example"
SIMPLE = ["String", "String", "Integer", "Long", "Double", "Boolean", "Float", "Short", "Byte"]
VALUES = [*SIMPLE, "Character", "BigDecimal", "BigInteger", "Date", "UUID", "Object", "Number"]
PRIMITIVES = ["boolean", "byte", "short", "char", "int", "long", "float", "double"]
NAMES = ["id", "name", "value", "total", "items", "next_", "größe"]
NAMES += ["isActive", "URL", "aB", "A", "z1", "note", "tags"]
IMPORTS = "import java.math.*;\nimport java.util.*;\n"


class Shapes:
    """A dozen classes that use each other."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._java: dict[str, str] = {}
        self._classes: list[type] = []
        self._enums: list[str] = []
        self._beans: list[tuple[str, tuple[str, ...]]] = []
        for number in range(3):
            self._enum(f"E{number}")
        names = [
            (f"C{number}", random.choice([(), (), ("T",), ("T", "U")])) for number in range(12)
        ]
        self._beans = names
        made: list[tuple[str, tuple[str, ...], type]] = []
        for name, variables in names:
            self._bean(name, variables, made)

    def schemas(self) -> list[ClassSchema]:
        return [schema for each in self._classes if (schema := schema_of(each)) is not None]

    def classes(self) -> list[type]:
        return self._classes

    def java(self) -> dict[str, str]:
        return self._java

    def _enum(self, name: str) -> None:
        random = self._random
        names = random.sample(["RED", "GREEN", "blue", "X", "É"], 3)
        bodies = [each for each in names if random.random() < 0.3]
        texts = [
            f"{each} {{ public int rank() {{ return 1; }} }}" if each in bodies else each
            for each in names
        ]
        body = "    public int rank() { return 0; }"
        self._java[name] = (
            f"package {PACKAGE};\npublic enum {name} {{\n    {', '.join(texts)};\n{body}\n}}\n"
        )
        made = enum.Enum(name, names)  # type: ignore[misc] # the names are random
        self._classes.append(java_enum(f"{PACKAGE}.{name}", bodies=bodies)(made))
        self._enums.append(name)

    def _bean(
        self, name: str, variables: tuple[str, ...], made: list[tuple[str, tuple[str, ...], type]]
    ) -> None:
        random = self._random
        record = random.random() < 0.15
        final = not record and random.random() < 0.3
        parents = [each for each in made if not getattr(schema_of(each[2]), "final", True)]
        parent = (
            random.choice(parents) if parents and not record and random.random() < 0.35 else None
        )
        extends = None
        if parent is not None:
            extends = parent[0]
            if parent[1] and random.random() < 0.8:
                extends += f"<{', '.join(self._type(variables, 1, False) for _ in parent[1])}>"
        count = random.randint(1, 6)
        fields = {each: self._field(variables) for each in random.sample(NAMES, count)}
        base = (parent[2],) if parent else (object,)
        attributes = {f"{name}_{each}" if parent else each: each for each in fields}
        modifiers = {each: random.choice(["public", "private", "protected"]) for each in fields}
        hidden = {each for each, modifier in modifiers.items() if modifier != "public"}
        made_class = self._python(
            name, variables, base, fields, attributes, record, final, extends, hidden
        )
        self._classes.append(made_class)
        made.append((name, variables, made_class))
        generic = f"<{', '.join(variables)}>" if variables else ""
        head = f'package {PACKAGE};\n{IMPORTS}@SuppressWarnings("rawtypes")\n'
        if record:
            parts = ", ".join(f"{kind} {each}" for each, kind in fields.items())
            self._java[name] = f"{head}public record {name}{generic}({parts}) {{}}\n"
            return
        rows = "\n".join(f"    {modifiers[each]} {kind} {each};" for each, kind in fields.items())
        above = f" extends {extends}" if extends else ""
        modifier = "final " if final else ""
        self._java[name] = f"{head}public {modifier}class {name}{generic}{above} {{\n{rows}\n}}\n"

    def _python(
        self,
        name: str,
        variables: tuple[str, ...],
        base: tuple[type, ...],
        fields: dict[str, str],
        attributes: dict[str, str],
        record: bool,
        final: bool,
        extends: str | None,
        hidden: set[str],
    ) -> type:
        hints: dict[str, Any] = {
            attribute: Annotated[
                Any, JavaField(self._full(fields[each]), name=each, public=each not in hidden)
            ]
            for attribute, each in attributes.items()
        }
        cls = type(name, base, {"__annotations__": hints, "__module__": __name__})
        tie = java_class(
            f"{PACKAGE}.{name}",
            record=record,
            final=final,
            variables=variables,
            extends=self._full(extends) if extends else None,
        )
        return tie(cls)

    def _full(self, text: str) -> str:
        """Give our own classes their package."""
        words = {name for name, _ in self._beans} | set(self._enums)
        out, word = [], ""
        for letter in f"{text} ":
            if letter.isalnum() or letter == "_":
                word += letter
                continue
            out.append(f"{PACKAGE}.{word}" if word in words else word)
            out.append(letter)
            word = ""
        return "".join(out).strip()

    def _field(self, variables: tuple[str, ...]) -> str:
        if self._random.random() < 0.25:
            name = self._random.choice(PRIMITIVES)
            return name if self._random.random() < 0.8 else f"{name}[]"
        found = self._type(variables, 0, True)
        if self._random.random() < 0.1 and "<" not in found:
            return f"{found}[]"
        return found

    def _type(self, variables: tuple[str, ...], depth: int, wild: bool) -> str:
        random = self._random
        kind = random.random()
        if variables and kind < 0.25:
            return random.choice(variables)
        if kind < 0.55 or depth > 2:
            return random.choice(VALUES)
        if kind < 0.62:
            return random.choice(self._enums)
        if kind < 0.8:
            name, own = random.choice(self._beans)
            if own and random.random() < 0.85:
                return f"{name}<{', '.join(self._argument(variables, depth, wild) for _ in own)}>"
            return name
        if kind < 0.9:
            return (
                f"{random.choice(['List', 'Collection'])}<{self._argument(variables, depth, wild)}>"
            )
        if kind < 0.93:
            return f"Set<{random.choice(['String', 'Integer', 'Long', 'UUID', *self._enums])}>"
        key = random.choice(["String", "String", "Integer", "Long", "UUID", *self._enums])
        return f"Map<{key}, {self._argument(variables, depth, wild)}>"

    def _argument(self, variables: tuple[str, ...], depth: int, wild: bool) -> str:
        found = self._type(variables, depth + 1, wild)
        if wild and self._random.random() < 0.15:
            return self._random.choice(["?", f"? extends {found}", f"? super {found}"])
        return found
