"""Class names where the codec's default typing writes none.

The service of such a message has another default typing: it overrides `initTypeInclusion`. Python
reads the value. It marks the object of a schema class around it, and the writer rejects an object
with a mark, because it would lose the name.
"""

from __future__ import annotations

from typing import Any

from pyredisson.rejection import Rejection

from .rules import Rules

__all__ = ["MISSED", "TypingMismatch", "missed", "other_typing", "require_kept"]

MISSED = "__java_missed__"


class TypingMismatch(Rejection):
    """A class name where the typing of the codec writes none."""

    def __init__(self, class_name: str, rules: Rules) -> None:
        self.advice = other_typing(class_name, rules)
        super().__init__(
            f"the class name {class_name} where the default typing of this codec writes none; "
            f"{self.advice}",
            class_name,
        )

    def mark(self, place: str) -> tuple[str, str]:
        """Return the mark of an object: what its message had, and what to do."""
        return f"named the class {self.class_name} in {place}", self.advice


def other_typing(class_name: str, rules: Rules) -> str:
    """Return what to do about the name of a class that this typing does not write."""
    if class_name == "java.util.UUID":
        return "pass the release= of the Java service"
    if rules.everything:
        return "the service has another typing than EVERYTHING"
    if not rules.typing:
        return "this codec writes no class names: use a codec that has typing="
    return 'pass typing="everything" if the codec of the service overrides initTypeInclusion'


def missed(made: Any, what: str, advice: str = "") -> None:
    """Mark an object that cannot be written as it was read.

    Raises:
        Rejection: the object cannot be marked.
    """
    text = f"{what}: writing it would lose that; {advice or 'renew its schema'}"
    try:
        object.__setattr__(made, MISSED, text)
    except AttributeError:
        rest = f"; {advice}" if advice else ", which its schema does not have"
        raise Rejection(f"the message {what}{rest}") from None


def require_kept(value: Any, name: str) -> None:
    """Reject an object with a mark."""
    what = getattr(value, MISSED, None)
    if what is not None:
        raise Rejection(f"a {name} whose message {what}, or write a new object")
