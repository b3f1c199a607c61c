"""Scripts that are sent again after a lost reply have the same effect as if sent once."""

from typing import Any

from tests.lua.test_refused import CASES, Case, done, look, root, run
from tests.support.rows import each_row

__all__ = ["root"]

ADD_UP = {
    "counters/allocate_ids": "the ids of the first call are not used",
    "maps/cache_get": "the size limit counts one more use",
    "local_maps/answer": "a client that waits for all copies may miss one, as with Redisson",
}
"""Scripts whose second call has an effect of its own, with the effect."""


def test_scripts_that_add_up_have_cases() -> None:
    assert ADD_UP.keys() <= {case.script for case in CASES if case.call.safe}


@each_row("case", [each for each in CASES if each.call.safe and each.script not in ADD_UP], ids=str)
def test_repeated_script_changes_nothing_more(root: Any, case: Case) -> None:
    _, once = done(root, case)
    assert not run(root, case)
    assert look(root) == once
