"""Time that passes at once: for the library in this process, beside the servers' own clocks."""

import sys
import time
from types import TracebackType
from typing import Any, Self

from pyredisson._runtime import concurrency


class Passing:
    """While it is entered, all modules of the library read a clock that can be put forward.

    The modules have `monotonic` by name, so each of them gets this one.
    """

    def __init__(self) -> None:
        self._ahead = 0.0

    def monotonic(self) -> float:
        """Return what the library takes for the time."""
        return time.monotonic() + self._ahead

    def put_forward(self, seconds: float) -> None:
        """Let so much time have passed."""
        self._ahead += seconds

    def __enter__(self) -> Self:
        assert concurrency.monotonic is _compat_monotonic, "another one is entered"
        _replace(_compat_monotonic, self.monotonic)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _replace(self.monotonic, _compat_monotonic)


def _replace(old: Any, new: Any) -> None:
    """Give another clock to each module that has one; those imported meanwhile have a fake."""
    for name, module in tuple(sys.modules.items()):
        if name.startswith("pyredisson.") and getattr(module, "monotonic", None) == old:
            module.monotonic = new  # type: ignore[attr-defined]  # it has one


_compat_monotonic = concurrency.monotonic
