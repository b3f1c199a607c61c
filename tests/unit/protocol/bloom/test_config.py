"""The configuration of a Bloom filter and the positions of its bits equal Redisson's."""

from __future__ import annotations

from typing import Any

import pytest

from pyredisson.errors import BloomFilterError
from pyredisson.protocol.bloom.config import BloomConfig, positions
from tests.support.rows import each_row

RECORDED = {
    (1000, 0.03): (7298, 5, "0.03"),
    (10, 1e-9): (431, 30, "0.0000000010"),
    (1_000_000, 0.001): (14_377_587, 10, "0.001"),
    (55_000, 0.2): (184_240, 2, "0.2"),
    (7, 0.5): (10, 1, "0.5"),
    (123_456, 0.0101): (1_180_776, 7, "0.0101"),
    (10**8, 0.03): (729_844_083, 5, "0.03"),
}


@each_row("parameters", RECORDED)
def test_size_and_iterations(parameters: tuple[int, float]) -> None:
    size, iterations, text = RECORDED[parameters]
    config = BloomConfig.of(*parameters)
    assert config == (size, iterations, *parameters)
    assert config.fields() == (size, iterations, parameters[0], text)


def test_extremes() -> None:
    assert BloomConfig.of(1, 0).hash_iterations == 1074
    assert BloomConfig.of(1, 0).together == 4
    assert BloomConfig.of(1, 1e-9).together == 5000 // 30
    assert BloomConfig(10**6, 9999, 1, 0.1).together == 1


@each_row(
    ("insertions", "probability", "error", "text"),
    [
        (1.5, 0.1, TypeError, "expected_insertions must be a whole number, not 1.5"),
        (True, 0.1, TypeError, "whole number"),
        (5, "0.1", TypeError, "false_probability must be a number"),
        (5, float("nan"), ValueError, "must be finite"),
        (5, 1.5, ValueError, "must be from 0 to 1, not 1.5"),
        (5, -0.5, ValueError, "from 0 to 1"),
        (5, 1, ValueError, "need 0"),
        (0, 0.1, ValueError, "from 1 to"),
        (-5, 0.1, ValueError, "from 1 to"),
        (2**63, 1 - 1e-16, ValueError, "from 1 to"),
        (2_000_000_000, 0.001, ValueError, "need 28755175132"),
    ],
)
def test_rejected_parameters(insertions: Any, probability: Any, error: Any, text: str) -> None:
    with pytest.raises(error, match=text):
        BloomConfig.of(insertions, probability)


def reply(**fields: bytes) -> list[bytes]:
    whole = {
        "size": b"431",
        "hashIterations": b"30",
        "expectedInsertions": b"10",
        "falseProbability": b"1.0E-9",
        **fields,
    }
    return [part for name, value in whole.items() for part in (name.encode(), value)]


def test_configuration_of_java_is_read() -> None:
    for text in (b"1.0E-9", b"0.0000000010"):
        config = BloomConfig.read("{f}:config", reply(falseProbability=text))
        assert config == BloomConfig.of(10, 1e-9)


@each_row(
    "fields",
    [
        reply(size=b"0"),
        reply(size=b"4294967295"),
        reply(size=b"1_0"),
        reply(hashIterations=b"0"),
        reply(hashIterations=b"-5"),
        reply(falseProbability=b"x"),
        reply()[2:],
    ],
)
def test_invalid_configuration_is_rejected(fields: list[bytes]) -> None:
    with pytest.raises(BloomFilterError, match="is not the configuration"):
        BloomConfig.read("{f}:config", fields)


def test_no_configuration() -> None:
    with pytest.raises(BloomFilterError, match="not initialized: call try_init"):
        BloomConfig.read("{f}:config", [])


def test_positions() -> None:
    config = BloomConfig.of(1000, 0.03)
    assert positions(b"hello", config) == [6595, 980, 1089, 2772, 2881]
    assert positions(b"a", config) == [4440, 2613, 7053, 6038, 3180]
    small = BloomConfig.of(10, 1e-9)
    assert positions(b"hello", small)[:8] == [3, 76, 126, 199, 249, 322, 372, 14]
    large = BloomConfig.of(5000, 0.01)
    assert positions(b"nope", large) == [3541, 28201, 31742, 8477, 85, 24745, 28286]


def test_count() -> None:
    config = BloomConfig.of(1000, 0.03)
    counts = [config.count(bits) for bits in (0, 5, 15, 7298, 9000)]
    assert counts == [0, 1, 3, 2**63 - 1, 2**63 - 1]
