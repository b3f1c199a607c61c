"""Texts that stand in a program's source, of which Java and Python have one object each.

Java interns the names of classes, fields and constants together with all literals, so a
value "name" and a field of that name are one text to a stream. Python interns names of
attributes and literals that look like names. The rule: the readers return this very text
where Java referred to a name, and the writers refer where they meet it.
"""

from __future__ import annotations

from types import SimpleNamespace

__all__ = ["literal"]


def literal(text: str) -> str:
    """Return the one text that Python has for a name: an attribute's name is always it."""
    holder = SimpleNamespace()
    setattr(holder, text, None)
    (found,) = vars(holder)
    return str(found)
