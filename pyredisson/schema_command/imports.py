"""The import lines that a generated module needs, in isort's order."""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["import_lines", "words"]

_SCHEMA = "pyredisson.java"
_HOME = {
    "dataclass": "dataclasses",
    "Decimal": "decimal",
    "Enum": "enum",
    "auto": "enum",
    "Annotated": "typing",
    "Any": "typing",
    "UUID": "uuid",
    "JavaField": _SCHEMA,
    "JValue": _SCHEMA,
    "JZonedDateTime": _SCHEMA,
    "java_class": _SCHEMA,
    "java_enum": _SCHEMA,
}
_WORD = re.compile(r"\w+")


def words(text: str) -> list[str]:
    """Return the names in an annotation."""
    return _WORD.findall(text)


def import_lines(used: Iterable[str]) -> list[str]:
    """Return the import lines of the names; those of pyredisson follow an empty line."""
    names = set(used)
    by_module: dict[str, list[str]] = {}
    for name, module in _HOME.items():
        if name in names:
            by_module.setdefault(module, []).append(name)
    ours = by_module.pop(_SCHEMA)
    lines = ["import datetime as dt"] if "dt" in names else []
    lines += [
        f"from {module} import {', '.join(by_module[module])}" for module in sorted(by_module)
    ]
    return [*lines, "", f"from {_SCHEMA} import {', '.join(ours)}"]
