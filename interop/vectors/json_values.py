"""Random values for the JSON fuzz, as a Python program would make them.

The rule: only what the declared types allow, of the random classes of one run.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from random import Random
from typing import Any
from uuid import UUID

from interop.vectors.random_schemas import Shapes
from pyredisson.codecs.jackson.model import Model
from pyredisson.codecs.jackson.rules import Rules
from pyredisson.java import JArray, JBigInteger, JFloat, JList, JLong, JMap, JSet
from pyredisson.java.arguments import bind
from pyredisson.java.schema import ClassSchema
from pyredisson.java.types import OBJECT, JavaType

ZEROS: dict[str, Any] = {"boolean": False, "char": "\0", "float": 0.0, "double": 0.0}
TEXTS = ["", "a", "order-1", "é", "你好", "😀", '"\\', "\n\t\x01", "\u2028", "@id", "x" * 70]
TEXTS += ["y" * 60, "é" * 40, "z" * 64]


class Values:
    """Random values that declared types allow."""

    def __init__(self, random: Random, shapes: Shapes, rules: Rules) -> None:
        self._random = random
        self._model = Model({s.class_name: s for s in shapes.schemas()}, rules)
        self._beans = [s for s in shapes.schemas() if s.kind != "enum"]
        self._enums = [s for s in shapes.schemas() if s.kind == "enum"]

    def root(self) -> Any:
        random = self._random
        if random.random() < 0.8:
            return self.open_bean()
        return self.list(OBJECT, 0) if random.random() < 0.5 else self.map(OBJECT, 0)

    def open_bean(self) -> Any:
        open_beans = [s for s in self._beans if not s.final and not s.abstract]
        return self.bean(self._random.choice(open_beans), OBJECT, 0)

    def list(self, element: JavaType, depth: int) -> Any:
        items = [self.of(element, depth + 1) for _ in range(self._random.randint(0, 3))]
        kind = self._random.choice(["ArrayList", "LinkedList", "Vector"])
        return items if kind == "ArrayList" else JList(f"java.util.{kind}", items)

    def map(self, value: JavaType, depth: int, key: JavaType = OBJECT) -> Any:
        count = self._random.randint(0, 3)
        entries = {}
        for _ in range(count):
            content = self.of(value, depth + 1)
            if content is not None:
                entries[self.key(key)] = content
        return JMap("java.util.LinkedHashMap", entries)

    def key(self, declared: JavaType) -> Any:
        if declared == OBJECT:
            return self._random.choice(TEXTS)
        return self.of(declared, 99, null=False)

    def bean(self, schema: ClassSchema, declared: JavaType, depth: int) -> Any:
        new: Any = schema.python.__new__
        made = new(schema.python)
        for _, field in schema.all_fields():
            zero = ZEROS.get(field.type.name, 0) if field.type.primitive else None
            object.__setattr__(made, field.attribute, zero)
        for each in self._model.properties(schema, bind(schema, declared)):
            if not each.method:
                object.__setattr__(made, each.attribute, self.of(each.type, depth + 1))
        return made

    def of(self, declared: JavaType, depth: int, null: bool = True) -> Any:
        random, name = self._random, declared.name
        rare = 0.15 if depth < 4 else 0.7 if depth < 7 else 0.97
        if null and not declared.primitive and random.random() < rare:
            return None
        if declared.dimensions:
            if (name, declared.dimensions) == ("byte", 1):
                return random.randbytes(random.randint(0, 4))
            component = declared.component
            if component.arguments:  # lost by Java's writer, yet known to its reader
                return None
            count = random.randint(0, 3)
            items = [self.of(component, depth + 1) for _ in range(count)]
            return JArray(str(JavaType(component.name, (), component.dimensions)), items)
        schema = self._model.by_name.get(name)
        if schema is not None and schema.kind == "enum":
            return random.choice(list(schema.python.__members__.values()))  # type: ignore[attr-defined] # an Enum
        if schema is not None:
            fitting = [s for s in self._beans if not s.abstract]
            fitting = [s for s in fitting if self._model.accepts(declared, s.class_name)]
            fitting = [s for s in fitting if self._model.specialises(s, declared)]
            return self.bean(random.choice(fitting), declared, depth)
        return self.jdk(declared, depth)

    def jdk(self, declared: JavaType, depth: int) -> Any:  # noqa: C901 - one line per type
        random = self._random
        short = declared.name.rpartition(".")[2]
        arguments = declared.arguments
        match short:
            case "boolean" | "Boolean":
                return random.random() < 0.5
            case "byte" | "Byte":
                return random.randint(-128, 127)
            case "short" | "Short":
                return random.randint(-(2**15), 2**15 - 1)
            case "int" | "Integer":
                return random.choice([0, 1, -1, 2**31 - 1, -(2**31), random.randint(-999, 999)])
            case "long" | "Long":
                return random.choice([0, 2**63 - 1, -(2**63), random.randint(-(2**40), 2**40)])
            case "char" | "Character":
                return random.choice('aZ0é你\x00"')
            case "float" | "Float":
                return float(random.randint(-(2**12), 2**12)) / 8
            case "double" | "Double":
                return random.randint(-(10**9), 10**9) / random.choice([1, 4, 100])
            case "String" | "CharSequence":
                return random.choice(TEXTS) + random.choice(TEXTS)
            case "BigDecimal":
                return Decimal(random.randint(-(10**20), 10**20)).scaleb(-random.randint(0, 9))
            case "BigInteger":
                return JBigInteger(random.randint(-(2**90), 2**90))
            case "Date":
                return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(
                    milliseconds=random.randint(-(10**13), 10**13)
                )
            case "UUID":
                return UUID(int=random.getrandbits(128))
            case "Number":
                return random.choice([1, 2.5, JLong(3), JFloat(0.5), Decimal("1.50")])
            case "List" | "Collection":
                return self.list(arguments[0] if arguments else OBJECT, depth)
            case "Set":
                element = arguments[0] if arguments else JavaType("java.lang.String")
                items = {self.of(element, 99) for _ in range(random.randint(0, 3))}
                return JSet("java.util.LinkedHashSet", items)
            case "Map":
                key, value = arguments if arguments else (OBJECT, OBJECT)
                return self.map(value, depth, key)
        return self.anything(depth)

    def anything(self, depth: int) -> Any:
        random = self._random
        if depth < 4 and random.random() < 0.5:
            choice = random.randrange(4)
            if choice == 0:
                return self.list(OBJECT, depth)
            if choice == 1:
                return self.map(OBJECT, depth)
            schema = random.choice([s for s in self._beans + self._enums if not s.abstract])
            return self.of(JavaType(schema.class_name), depth, null=False)
        names = ["Boolean", "Integer", "Double", "String", "BigDecimal", "BigInteger", "Date"]
        name = random.choice([*names, "UUID", "Long", "int[]", "long[]", "String[]"])
        if name == "Long":
            return JLong(random.randint(-(2**40), 2**40))
        if name.endswith("[]"):
            component = {"String[]": "java.lang.String"}.get(name, name[:-2])
            return self.of(JavaType(component, (), 1), depth, null=False)
        return self.jdk(JavaType(f"java.lang.{name}"), depth)
