"""A pytest plugin for scripts/test: if a worker crashes, all its other tests still run.

The scheduler of pytest-xdist 3.8 requeues all files of a crashed worker, also those whose tests
have all ended. A worker that gets such a file, or a file with a single test, may wait forever
(pytest-dev/pytest-xdist, issues 1323 and 1327). The scheduler also repeats the test that ran.
"""

import pytest
from xdist.scheduler import LoadFileScheduling
from xdist.workermanage import WorkerController


class ByFile(LoadFileScheduling):
    """The tests of a file run in one worker."""

    def remove_node(self, node: WorkerController) -> str | None:
        """Requeue the tests that have not started; return the one that was running."""
        files: dict[str, dict[str, bool]] = self.assigned_work[node]
        all_tests = [each for tests in files.values() for each in tests.items()]
        ran = next((test for test, ended in all_tests if not ended), None)
        for file, tests in list(files.items()):
            if ran in tests:
                tests[ran] = True
            if all(tests.values()):
                del files[file]
        super().remove_node(node)
        return ran

    def _reschedule(self, node: WorkerController) -> None:
        """Assign at least two tests: a worker starts one when it has the next one, or the end."""
        super()._reschedule(node)
        more = self.workqueue and not node.shutting_down
        if more and self._pending_of(self.assigned_work[node]) < 2:
            self._reschedule(node)


def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> ByFile | None:
    return ByFile(config, log) if config.getoption("dist") == "loadfile" else None
