"""Literals: strings in a program's source, which Java and Python intern.

Java interns the names of classes, fields and constants together with all literals. So in a stream,
a value "name" and a field of that name are the same string. Python interns names of attributes and
literals that look like names. Where Java referred to a name, the readers return the interned
string. For an interned string that occurs again, the writers write a reference.
"""

from __future__ import annotations

from types import SimpleNamespace

__all__ = ["literal"]


def literal(text: str) -> str:
    """Return the interned string that is equal to a name; Python interns attribute names."""
    holder = SimpleNamespace()
    setattr(holder, text, None)
    (found,) = vars(holder)
    return str(found)
