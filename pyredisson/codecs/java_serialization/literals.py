"""Literals: texts in a program's source, which Java and Python intern.

Java interns the names of classes, fields and constants together with all literals, so a value
"name" and a field of that name are one text to a stream. Python interns names of attributes and
literals that look like names. Where Java referred to a name, the readers return the interned text;
where the writers meet it, they write a reference.
"""

from __future__ import annotations

from types import SimpleNamespace

__all__ = ["literal"]


def literal(text: str) -> str:
    """Return the interned text of a name; attribute names are always interned."""
    holder = SimpleNamespace()
    setattr(holder, text, None)
    (found,) = vars(holder)
    return str(found)
