"""The clock of the library in this process, which a test can put forward."""

import sys
import time
from types import TracebackType
from typing import Any, Self

from pyredisson._runtime import concurrency


class Passing:
    """Inside the block, all modules of the library use a clock that can be put forward.

    The modules have `monotonic` by name, so it is replaced in each of them.
    """

    def __init__(self) -> None:
        self._ahead = 0.0

    def monotonic(self) -> float:
        """Return the time that the library uses."""
        return time.monotonic() + self._ahead

    def put_forward(self, seconds: float) -> None:
        """Put the clock forward by this many seconds."""
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
    """Replace the clock in each module that has it; modules imported in the block have the fake."""
    for name, module in tuple(sys.modules.items()):
        if name.startswith("pyredisson.") and getattr(module, "monotonic", None) == old:
            module.monotonic = new  # type: ignore[attr-defined]  # it has one


_compat_monotonic = concurrency.monotonic
