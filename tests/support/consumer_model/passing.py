"""Time that passes at once: for the library in this process, beside the servers' own clocks."""

import sys
import time
from types import TracebackType
from typing import Any, Self

from pyredisson import _compat


class Passing:
    """While it is entered, all modules of the library read a clock that can be put forward.

    The modules have `monotonic` by name, so each of them gets this one.
    """

    def __init__(self) -> None:
        self._ahead = 0.0
        self._changed: list[Any] = []

    def monotonic(self) -> float:
        """Return what the library takes for the time."""
        return time.monotonic() + self._ahead

    def put_forward(self, seconds: float) -> None:
        """Let so much time have passed."""
        self._ahead += seconds

    def __enter__(self) -> Self:
        assert _compat.monotonic is _compat_monotonic, "another one is entered"
        for name, module in tuple(sys.modules.items()):
            found = getattr(module, "monotonic", None)
            if name.startswith("pyredisson.") and found is _compat_monotonic:
                self._changed.append(module)
        for module in self._changed:
            module.monotonic = self.monotonic  # `_compat` is one, for modules that come later
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for module in self._changed:
            module.monotonic = _compat_monotonic


_compat_monotonic = _compat.monotonic
