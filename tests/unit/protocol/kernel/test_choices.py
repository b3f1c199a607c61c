"""An argument that is one of a few words."""

from __future__ import annotations

from typing import Any, Literal

import pytest

from pyredisson.protocol.kernel.choices import require_choice
from tests.support.rows import each_row

Side = Literal["left", "right"]


@pytest.mark.parametrize("value", ["left", "right"])
def test_a_word(value: str) -> None:
    assert require_choice(value, Side, "side") == value


@each_row("value", ["", "top", None, True, ["left"]])
def test_other_values_are_rejected(value: Any) -> None:
    with pytest.raises(
        ValueError, match=r"^side must be one of \('left', 'right'\), not "
    ) as caught:
        require_choice(value, Side, "side")
    assert str(caught.value).endswith(repr(value))
