"""ForyCodec and FuryCodec: the rejection, and what it says."""

from __future__ import annotations

from typing import Any

import pytest

from pyredisson.codecs import ForyCodec, FuryCodec


@pytest.mark.parametrize("codec", [ForyCodec, FuryCodec])
def test_fory_says_what_to_use(codec: Any) -> None:
    with pytest.raises(NotImplementedError, match=rf"{codec.__name__} .*Kryo5Codec"):
        codec()
    with pytest.raises(NotImplementedError):
        codec(["com.example.A"], language="JAVA")
