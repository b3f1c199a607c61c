"""The expectation of one call in both languages: the same, except for the listed differences."""

from dataclasses import dataclass
from typing import Any

from interop.tests.support.recorded import recorded
from interop.tests.support.trace import Run


@dataclass(frozen=True, kw_only=True)
class Expected:
    """Both languages do the same, unless ``why`` gives a reason and the other fields the change."""

    why: str = ""
    java_commands: tuple[str, ...] | None = None
    """With ``python_commands``: the commands of each, where they are not the same."""
    python_commands: tuple[str, ...] = ()
    keys_differ: bool = False
    """The keys are not the same afterwards."""
    results_differ: tuple[Any, Any] | None = None
    """Java's result and Python's."""
    results_may_differ_by_a_second: bool = False
    """Both return whole seconds of a clock that runs between the two calls."""

    def check(self, java: Run, python: Run) -> None:
        """Compare the runs of both."""
        if self.java_commands is None:
            assert python.commands == java.commands
        else:
            assert java.commands == list(self.java_commands)
            assert python.commands == list(self.python_commands)
            assert self.why
        assert (python.keys != java.keys) == self.keys_differ
        expected = self.results_differ or (java.result, java.result)
        if self.results_may_differ_by_a_second:
            assert abs(python.result - java.result) <= 1
            return
        assert (java.result, python.result) == expected

    def check_recorded(self, name: str, python: Run) -> None:
        """Compare with the recorded run of a release that does not run here."""
        if java := recorded(name):
            self.check(java, python)
