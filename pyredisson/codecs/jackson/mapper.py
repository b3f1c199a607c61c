"""The options for a service that gave its codec an `ObjectMapper` of its own.

Only settings that Redisson does not change are options. The Jackson 2 codecs always set the
inclusion (NON_NULL), visibility, order, unknown properties and class names themselves, so these are
not options there. The Jackson 3 codecs use a mapper unchanged.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from pyredisson.releases import parse_release

__all__ = ["STRATEGIES", "Durations", "Inclusion", "JavaTime", "Mapper"]

JavaTime = Literal["arrays", "iso"]
Durations = Literal["numbers", "iso"]
Inclusion = Literal["always", "non_null"]


def _upper_camel(name: str) -> str:
    return name[:1].upper()[:1] + name[1:]


def _snake(name: str) -> str:
    text, translated = "", False
    for place, letter in enumerate(name):
        if not place and letter == "_":
            continue
        if letter.isupper():
            text += "_" if not translated and text and text[-1] != "_" else ""
        translated = letter.isupper()
        text += letter.lower()[:1] if translated else letter
    return text or name


def _separated(name: str, separator: str) -> str:
    text, capitals = "", 0
    for place, letter in enumerate(name):
        lower = letter.lower()[:1]
        if lower == letter:
            if capitals > 1:  # the last capital begins the next word
                text = text[:-1] + separator + text[-1]
            capitals = 0
        else:
            text += separator if not capitals and place else ""
            capitals += 1
        text += lower
    return text


STRATEGIES: dict[str, Callable[[str], str]] = {
    "lower_camel": lambda name: name,
    "upper_camel": _upper_camel,
    "snake": _snake,
    "upper_snake": lambda name: _snake(name).upper(),
    "lower": str.lower,
    "kebab": lambda name: _separated(name, "-"),
    "lower_dot": lambda name: _separated(name, "."),
}
"""Jackson's `PropertyNamingStrategies`, without "_case"."""


@dataclass(frozen=True, slots=True)
class Mapper:
    """The mapper options of a codec; the codecs' docstrings describe them.

    Raises:
        ValueError: an option has an unknown value.
    """

    java_time: JavaTime | None = None
    durations: Durations = "numbers"
    nanoseconds: bool = True
    naming: str | None = None
    inclusion: Inclusion = "always"  # of a mapper of Jackson 3
    early: bool = False  # Jackson 2.21 and newer write fractions before 1970 correctly

    def __post_init__(self) -> None:
        for name, value, known in (
            ("java_time", self.java_time, (None, "arrays", "iso")),
            ("durations", self.durations, ("numbers", "iso")),
            ("nanoseconds", self.nanoseconds, (True, False)),
            ("inclusion", self.inclusion, ("always", "non_null")),
            ("naming", self.naming, (None, *(f"{each}_case" for each in STRATEGIES))),
        ):
            if value not in known:
                allowed = ", ".join(map(repr, known))
                raise ValueError(f"{name}={value!r} is none of {allowed}")

    def of(self, release: str | None) -> Mapper:
        """Return the mapper of a service that runs this release."""
        early = release is not None and parse_release(release) >= (4, 7, 0)
        return replace(self, early=early)

    def named(self, name: str) -> str:
        """Return a property's name under the naming strategy."""
        if self.naming is None:
            return name
        return STRATEGIES[self.naming.removesuffix("_case")](name)
