"""The requests of the doctor, and the values of their replies."""

from pyredisson.protocol.checks.examine import permitted, sizes


def test_sizes() -> None:
    assert sizes(["a", "b"]).decode([3, 0]) == {"a": 3, "b": 0}


def test_permitted() -> None:
    asked = permitted([("LLEN", "q"), ("TIME",)], "q")
    assert asked.args == (2, "LLEN", "q", 1, "TIME")
    assert asked.decode([1, 0, -1]) == [True, False, True]
    assert asked.decode(None) is None
