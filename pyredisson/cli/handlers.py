"""Imports what an option names as `MODULE:NAME`.

The rule: an error is one line that says which part was not found. Only names that the user gives
are imported.
"""

from __future__ import annotations

import builtins
import os
import sys
from importlib import import_module
from typing import Any

__all__ = ["named", "outcomes_of"]


def named(text: str) -> Any:
    """Return the object that `MODULE:NAME` names; the current directory is searched first.

    Raises:
        ValueError: there is no such module or name, or its import fails.
    """
    module, colon, name = text.partition(":")
    if not (module and colon and name):
        raise ValueError(f"{text!r} must be MODULE:NAME, as app.tasks:handle")
    if "" not in sys.path and os.getcwd() not in sys.path:  # noqa: PTH109 - as sys.path has it
        sys.path.insert(0, os.getcwd())  # noqa: PTH109 - as above
    try:
        found: Any = import_module(module)
    except ModuleNotFoundError as error:
        if error.name and (module == error.name or module.startswith(f"{error.name}.")):
            raise ValueError(f"no module {error.name!r} in {os.getcwd()} or installed") from error  # noqa: PTH109 - as above
        raise ValueError(f"module {module!r} imports {error.name!r}, which is missing") from error
    except Exception as error:
        raise ValueError(f"import of {module!r} failed: {type(error).__name__}: {error}") from error
    for part in name.split("."):
        try:
            found = getattr(found, part)
        except AttributeError:
            raise ValueError(f"module {module!r} has no {name!r}") from None
    return found


def outcomes_of(texts: tuple[str, ...]) -> dict[type[BaseException], Any]:
    """Return what `CLASS=OUTCOME` says, such as `ValueError=dead` or `app:PaymentError=drop`.

    Raises:
        ValueError: it names no class of exceptions.
    """
    found: dict[type[BaseException], Any] = {}
    for text in texts:
        name, equals, outcome = text.partition("=")
        kind = named(name) if ":" in name else getattr(builtins, name, None)
        if not (equals and isinstance(kind, type) and issubclass(kind, BaseException)):
            raise ValueError(
                f"{text!r} must be CLASS=retry, dead or drop, as app:PaymentError=dead"
            )
        found[kind] = outcome
    return found
