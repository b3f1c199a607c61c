"""Results of both languages in one vocabulary: a plain value, or the name of an error."""

from collections.abc import Callable
from typing import Any

from interop.peer import JavaError
from pyredisson import EmptyQueueError, EncodeError, Receipt

_JAVA = {
    "NoSuchElementException": "empty",
    "IndexOutOfBoundsException": "no such index",
    "IllegalArgumentException": "bad argument",
    "NullPointerException": "no such value",
    "NoSuchMethodException": "unsupported",
    "UnsupportedOperationException": "unsupported",
}
_PYTHON: dict[type[Exception], str] = {
    EmptyQueueError: "empty",
    IndexError: "no such index",
    EncodeError: "no such value",
    AttributeError: "unsupported",
    TypeError: "unsupported",
    ValueError: "bad argument",
}


def of_java(call: Callable[[], Any]) -> Any:
    """Return the result of a call to the peer."""
    try:
        return call()
    except JavaError as error:
        if "bad argument #2 to 'unpack'" in str(error):  # its script cannot read an entry
            return "error: script failed"
        return f"error: {_JAVA.get(error.simple_name, error)}"


def of_python(call: Callable[[], Any]) -> Any:
    """Return the result of a call to the library; a receipt stands for Java's ``void``."""
    try:
        value = call()
    except Exception as error:
        for kind, name in _PYTHON.items():
            if isinstance(error, kind):
                return f"error: {name}"
        raise
    return None if isinstance(value, Receipt) else value
