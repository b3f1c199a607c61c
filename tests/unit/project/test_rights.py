"""docs/rights.md shows the recorded rights; these include all commands that scripts call."""

from pyredisson.protocol.kernel.scripts import source
from tests.support.access import PAGE, accesses, literals, page, scripts
from tests.unit.protocol.kernel.test_scripts import SCRIPTS


def test_the_page_is_current() -> None:
    text = PAGE.read_text("utf-8")
    assert page(text) == text, "run python -m tests.support.access"


def test_each_script_was_recorded_with_each_command_that_it_has() -> None:
    """After a change of a script, run python -m tests.support.record_access."""
    assert sorted(scripts()) == SCRIPTS
    for name in SCRIPTS:
        assert literals(source(name)) <= set(scripts()[name]), name


def test_each_script_is_called() -> None:
    called = {each for rows in accesses().values() for one in rows.values() for each in one.scripts}
    assert called <= set(SCRIPTS)
    for rows in accesses().values():
        for access in rows.values():
            assert access.needs
            assert not access.needs & access.also
