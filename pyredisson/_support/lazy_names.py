"""Imports names of a package at their first use.

The rule: importing a package loads only the modules whose names the importer uses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any


def lazily(
    namespace: dict[str, Any], homes: Mapping[str, Sequence[str]]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the `__getattr__` and the `__dir__` of a package.

    Args:
        namespace: the package's `globals()`.
        homes: the package's modules, as relative names, each with the names that it defines.
    """
    package = namespace["__name__"]
    home_of = {name: home for home, names in homes.items() for name in names}

    def get(name: str) -> Any:
        home = home_of.get(name)
        if home is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = namespace[name] = getattr(import_module(home, package), name)
        return value

    def names() -> list[str]:
        return sorted({*namespace, *home_of})

    return get, names
