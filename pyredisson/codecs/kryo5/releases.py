"""The releases of Redisson that changed the bytes of `Kryo5Codec`.

Each property names the release that brought a change. `jdk` has the changes of single classes,
`families/java_serialized` those of the values that Java serializes. Sources: `Kryo5Codec` at
Redisson's tags, and its Kryo dependency. For each boundary, the last release before it and the
first release at it were run; only the named change differs (`interop/vectors/check_releases.py`).
4.0.0 changed nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from pyredisson.releases import NEWEST, Number, parse_release

__all__ = ["LAYOUTS", "Release"]

LAYOUTS = (
    ("3.19.0", "3.19.0"),
    ("3.19.1", "3.20.1"),
    ("3.21.0", "3.34.1"),
    ("3.35.0", "3.35.0"),
    ("3.36.0", "3.37.0"),
    ("3.38.0", "3.45.1"),
    ("3.46.0", "4.0.0"),
    ("4.1.0", "4.6.1"),
    ("4.7.0", NEWEST),
)
"""The first and last releases of ranges within which all releases read everything alike."""


@dataclass(frozen=True, slots=True)
class Release:
    """One release of Redisson that has `Kryo5Codec` as its default: 3.19.0 or newer."""

    text: str

    def __post_init__(self) -> None:
        if self.number < (3, 19, 0):
            raise ValueError(
                f"release is {self.text!r}; Kryo5Codec's bytes are known from 3.19.0 on, which "
                "made it Redisson's default"
            )

    @property
    def number(self) -> Number:
        """The release as numbers."""
        return parse_release(self.text)

    def has(self, since: str) -> bool:
        """Return whether this release is `since` or newer."""
        return self.number >= parse_release(since)

    @property
    def bound_strings(self) -> bool:
        """3.19.1 (Kryo 5.4): a class can bind its superclass's variable to String."""
        return self.number >= (3, 19, 1)

    @property
    def generic_arrays(self) -> bool:
        """3.21.0 (Kryo 5.5): a field `T[]` counts as an array of what T is bound to."""
        return self.number >= (3, 21, 0)

    @property
    def sorted_classes(self) -> bool:
        """4.1.0: allowedClasses get their ids in the order of their names."""
        return self.number >= (4, 1, 0)
