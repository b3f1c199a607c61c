"""The exception that readers and writers inside the codecs raise.

The readers and writers do not know the codec's name or the whole payload, so they raise a
`Rejection`. The codec's `encode` and `decode` convert it to an `EncodeError` or a `DecodeError`,
which has the name and the payload. A `Rejection` never leaves the package.
"""

from __future__ import annotations

from datetime import date

__all__ = ["Rejection", "reject_class", "reject_name", "reject_value"]


class Rejection(Exception):  # noqa: N818 - not an error of its own: it becomes one at the codec's edge
    """The reason why a value cannot be written, or why bytes cannot be read.

    Attributes:
        class_name: the Java class at which a reader stopped, or None.
        place: the field that cannot be written or read; None if it is not known.
    """

    def __init__(self, message: str, class_name: str | None = None) -> None:
        super().__init__(message)
        self.class_name = class_name
        self.place: str | None = None

    def text(self) -> str:
        """Return the message. If the field is known, the message contains it."""
        return f"{self} (in {self.place})" if self.place else str(self)


def reject_class(name: str, because: str = "") -> Rejection:
    """Return the rejection of a class that neither the codec nor a schema knows."""
    instead = (
        "keep it out of what Java sends (transient), or let it send"
        if name.startswith(("java.", "javax.")) and "<" not in name
        else "pass its schema in schemas= (pyredisson schema writes it), or use"
    )
    problem = f"the Java class {name} is not known here{because}"
    return Rejection(f"{problem}; {instead} a String, number, list or map", name)


def reject_name(name: str) -> Rejection:
    """Return the rejection of a text that cannot be the name of a class of this program."""
    if "$$Lambda" in name:
        return Rejection(f"{name[:60]!r} is a lambda, which only the JVM that made it has", name)
    return Rejection(f"{name[:60]!r} is no class name")


def reject_value(value: object, wanted: str) -> Rejection:
    """Return the rejection of a value that Java does not accept in its place."""
    return Rejection(f"{_show(value)} of type {type(value).__qualname__} is not {wanted}")


def _show(value: object) -> str:
    """Return the repr of a short scalar. The repr of another value could fail or be very long."""
    if isinstance(value, (str, bytes)):
        return f"{value[:40]!r}{'…' if len(value) > 40 else ''}"
    if isinstance(value, int) and value.bit_length() > 128:
        return f"a number of {value.bit_length()} bits"
    if isinstance(value, (int, float, date)):
        return repr(value)
    return "None" if value is None else "a value"
