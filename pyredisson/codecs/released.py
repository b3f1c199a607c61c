"""Codecs whose bytes changed between releases of Redisson.

Such a codec gets its release from its own argument or from the client. Without one it reads what
the newest release writes. It then writes only what all releases from `FLOOR` on (or from the
codec's own first release) read alike. It rejects the rest with an error that asks for a release.
"""

from __future__ import annotations

from abc import abstractmethod
from copy import copy
from itertools import groupby
from typing import ClassVar, Self, TypeVar

from pyredisson.errors import DecodeError
from pyredisson.rejection import Rejection
from pyredisson.releases import FLOOR, NEWEST, Number, parse_release

from .base import Codec

T = TypeVar("T")

__all__ = ["ReleasedCodec", "fits", "reject_unreleased"]


def reject_unreleased(what: str, since: str) -> Rejection:
    """Return the rejection of a value that only releases from `since` on can read."""
    return Rejection(
        f"{what}: only Redisson {since} and newer reads this; name the Java side's release, by "
        f'Redisson(client, release="{NEWEST}") or by release= of the codec'
    )


def fits(codec: str, releases: str, release: str) -> str:
    """Describe the releases that may have written bytes which the codec cannot read."""
    return f'; the bytes fit {codec} of Redisson {releases}: pass release="{release}"'


class ReleasedCodec(Codec[T]):
    """A codec whose bytes depend on the Redisson release; it may have no release yet.

    Attributes:
        release: the release, from the argument or the client; None if neither has one.
        layouts: the first and the last release of each layout of its bytes, oldest first.
    """

    layouts: ClassVar[tuple[tuple[str, str], ...]]

    def __init__(self, release: str | None) -> None:
        if release is not None:
            parse_release(release)
        self._by_release: dict[str, Self] = {}
        self._hints = True
        self._floor = parse_release(FLOOR)
        self.release = release
        self._settle()

    @abstractmethod
    def _settle(self) -> None:
        """Create the state that depends on the release.

        Raises:
            ValueError: not a release, or the release does not have this codec.
        """

    @abstractmethod
    def _read(self, data: bytes) -> T:
        """Read a message.

        Raises:
            Rejection: the message cannot be read.
            RecursionError: it is nested too deep for Python.
        """

    def for_release(self, release: str) -> Self:
        """Return the codec for that release; see `Codec.for_release`."""
        return self if self.release is not None else self._of(release)

    def _of(self, release: str) -> Self:
        found = self._by_release.get(release)
        if found is None:
            found = copy(self)
            found._by_release = {}
            found.release = release
            found._settle()
            self._by_release[release] = found
        return found

    def _at_least(self, oldest: Number) -> Self:
        if self.release is not None or oldest <= self._floor:
            return self
        found = copy(self)
        found._by_release = {}
        found._floor = oldest
        found._settle()
        return found

    def _without_hints(self) -> Self:
        found = copy(self)
        found._by_release = {}
        found._hints = False
        return found

    def _fitting(self, data: bytes) -> str:
        """Return a hint that names the releases whose layout the bytes have, or an empty string."""
        if not self._hints:
            return ""
        runs = [
            list(run)
            for whole, run in groupby(self.layouts, lambda each: self._fits(each[0], data))
            if whole
        ]
        if not runs:
            return ""
        shown = " or ".join(_range(run, self.layouts) for run in runs)
        return fits(type(self).__name__, shown, runs[-1][-1][1])

    def _fits(self, release: str, data: bytes) -> bool:
        try:
            self._of(release)._read(data)
        except (Rejection, DecodeError, ValueError, RecursionError):
            return False
        return True


def _range(run: list[tuple[str, str]], layouts: tuple[tuple[str, str], ...]) -> str:
    (first, _), (_, last) = run[0], run[-1]
    if first == last:
        return first
    if run[0] == layouts[0]:
        return f"{last} and older"
    return f"{first} and newer" if run[-1] == layouts[-1] else f"{first} to {last}"
