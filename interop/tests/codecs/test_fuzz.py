"""A short run of each cross-JVM fuzzer; a long one is a command of its own (interop/README.md)."""

from __future__ import annotations

import subprocess
import sys

import pytest

from interop.peer.build import MATRIX, ROOT, UnavailableError, jars
from tests.support.services import unavailable

RUNS = [
    ("interop.vectors.fuzz_kryo5", "--count=2000", "--release=4.7.0"),
    ("interop.vectors.fuzz_kryo5", "--count=1000", "--release=3.19.3"),
    ("interop.vectors.fuzz_kryo5", "--count=1000", "--release=4.7.0", "--references"),
    ("interop.vectors.fuzz_typed", "--count=300"),
    ("interop.vectors.fuzz_fst", "--count=500"),
    ("interop.vectors.fuzz_json", "--graphs=2000", "--codec=JsonJacksonCodec"),
    *(
        ("interop.vectors.fuzz_json", "--graphs=500", f"--codec={name}Codec")
        for name in (
            *("JsonJackson3", "TypedJsonJackson", "TypedJsonJackson3", "MsgPackJackson"),
            *("CborJackson", "CborJackson3", "SmileJackson", "SmileJackson3"),
            *("IonJackson", "IonJackson3"),
        )
    ),
]


@pytest.mark.parametrize("run", RUNS, ids=" ".join)
def test_random_objects_have_the_same_bytes_in_both_languages(run: tuple[str, ...]) -> None:
    """Each side reads what the other writes, and writes it again to the same bytes."""
    try:
        jars(MATRIX[0])
    except UnavailableError as error:
        unavailable(f"no Java here: {error}")
    done = subprocess.run(
        [sys.executable, "-m", *run], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "same" in done.stdout or ", 0 differences" in done.stdout
