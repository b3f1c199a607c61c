"""What a client remembers of names is bounded."""

from pyredisson.protocol.kernel.remembered import MOST, Remembered


def test_what_was_added_is_remembered() -> None:
    names = Remembered()
    names.add("a")
    names.add("a")
    assert "a" in names
    assert "b" not in names
    assert len(names) == 1


def test_the_oldest_are_forgotten() -> None:
    names = Remembered(4)
    for name in "abcde":
        names.add(name)
    assert [name for name in "abcde" if name in names] == ["c", "d", "e"]


def test_there_are_never_more_than_so_many() -> None:
    names = Remembered()
    for number in range(3 * MOST):
        names.add(f"{number}")
        assert len(names) <= MOST
