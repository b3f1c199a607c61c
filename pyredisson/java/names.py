"""Class names in the JVM's form: `[I` for `int[]`, `[[Ljava.util.Date;` for `Date[][]`.

A `JArray` takes the component's name as in Java source; messages carry the JVM's name. The
functions work on text only; such a name is never used to import anything.
"""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = [
    "MAX_CLASS_NAME",
    "PRIMITIVES",
    "array_class",
    "component_of",
    "element_name",
    "is_class_name",
    "jvm_name",
]

MAX_CLASS_NAME = 512
PRIMITIVES = {
    "boolean": "Z",
    "byte": "B",
    "char": "C",
    "short": "S",
    "int": "I",
    "long": "J",
    "float": "F",
    "double": "D",
}
_NAMES = {letter: name for name, letter in PRIMITIVES.items()}
_NAME = r"(?:[^\W\d]|\$)[\w$]*(?:\.[\w$]+)*"
_SOURCE_NAME = re.compile(rf"({_NAME})((?:\[\])*)")
_JVM_NAME = re.compile(rf"(?:\[+(?:[ZBCSIJFD]|L{_NAME};))|{_NAME}")
_ARRAY = re.compile(rf"\[(\[*)(?:([ZBCSIJFD])|L({_NAME});)")
_MAX_DIMENSIONS = 16


@lru_cache(maxsize=256)
def array_class(component: str) -> str:
    """Return the JVM's name of the array with this component.

    Raises:
        ValueError: the component is not the name of a type.
    """
    match = _SOURCE_NAME.fullmatch(component)
    if match is None:
        raise ValueError(f"{component!r} is not a Java type name like int or java.lang.String[]")
    name, brackets = match.groups()
    return "[" * (1 + len(brackets) // 2) + PRIMITIVES.get(name, f"L{name};")


def component_of(class_name: str) -> str | None:
    """Return the component of an array class in Java source form; None for other classes."""
    match = _ARRAY.fullmatch(class_name)
    if match is None or len(match[1]) >= _MAX_DIMENSIONS:
        return None
    return (_NAMES[match[2]] if match[2] else str(match[3])) + "[]" * len(match[1])


def element_name(class_name: str) -> str:
    """Strip all dimensions of an array class: `[[Lcom.example.A;` is `com.example.A`."""
    component = component_of(class_name)
    return class_name if component is None else component.rstrip("[]")


def jvm_name(name: str) -> str:
    """Return the JVM's name of a type in Java source form: `int[]` is `[I`."""
    return array_class(name[:-2]) if name.endswith("[]") else name


def is_class_name(text: str) -> bool:
    """Return whether this text is a valid class name in a message."""
    return len(text) <= MAX_CLASS_NAME and _JVM_NAME.fullmatch(text) is not None
