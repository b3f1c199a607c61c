"""The number of names that a client remembers is bounded."""

from pyredisson.protocol.kernel.remembered import MAX_REMEMBERED, Remembered


def test_added_name_is_remembered() -> None:
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


def test_number_of_names_is_bounded() -> None:
    names = Remembered()
    for number in range(3 * MAX_REMEMBERED):
        names.add(f"{number}")
        assert len(names) <= MAX_REMEMBERED
