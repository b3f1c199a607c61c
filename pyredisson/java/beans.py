"""Names of properties: how Jackson derives them from `getX` and `isX`.

Jackson 2 converts all leading capitals to lower case (`getURL` is `url`). Jackson 3 follows Java's
own beans (`URL`, and `getXPos` is `XPos`) and treats neither `getx` nor `get_x` as a getter. If a
field differs only in capitals, it uses the field's name (`xPos`). The module also has the names of
the methods that Java's streams call.
"""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["PREFIXES", "field_like", "property_name", "stream_methods"]

PREFIXES = ("is", "get", "set")
_OF_STREAMS = {
    *("writeObject", "readObject", "readObjectNoData", "writeReplace", "readResolve"),
    "writeExternal",
}


def property_name(method: str, *, jackson3: bool) -> str | None:
    """Return the property of an accessor; None if the name is not that of an accessor."""
    for prefix in PREFIXES:
        rest = method.removeprefix(prefix)
        if rest and rest != method:
            return _standard(rest) if jackson3 else _legacy(rest)
    return None


def field_like(name: str, fields: Iterable[str]) -> str | None:
    """Return the field whose name Jackson 3 uses in place of a getter's, or None."""
    for each in fields:
        if each.lower() == name.lower() and any(letter.isupper() for letter in each[:2]):
            return each
    return None


def stream_methods(names: Iterable[str]) -> tuple[str, ...]:
    """Check and return the methods that decide how Java's streams write an object.

    Raises:
        ValueError: a name is not one of these methods.
    """
    found = tuple(names)
    if not _OF_STREAMS.issuperset(found):
        raise ValueError(f"own_serialization takes names of {sorted(_OF_STREAMS)}, not {found!r}")
    return found


def _legacy(rest: str) -> str:
    capitals = 0
    while capitals < len(rest) and _lower(rest[capitals]) != rest[capitals]:
        capitals += 1
    return "".join(map(_lower, rest[:capitals])) + rest[capitals:]


def _standard(rest: str) -> str | None:
    if not rest[0].isalpha() or rest[0].islower():
        return None
    return rest if rest[1:2].isupper() else _lower(rest[0]) + rest[1:]


def _lower(letter: str) -> str:
    return letter.lower()[:1]  # Java's is always one character
