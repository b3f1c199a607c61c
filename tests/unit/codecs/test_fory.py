"""ForyCodec and FuryCodec: both are rejected, and the error names an alternative."""

from __future__ import annotations

from typing import Any

import pytest

from pyredisson.codecs import ForyCodec, FuryCodec


@pytest.mark.parametrize("codec", [ForyCodec, FuryCodec])
def test_fory_error_names_an_alternative(codec: Any) -> None:
    with pytest.raises(NotImplementedError, match=rf"{codec.__name__} .*Kryo5Codec"):
        codec()
    with pytest.raises(NotImplementedError):
        codec(["com.example.A"], language="JAVA")
