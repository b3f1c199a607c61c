"""Computed serialVersionUIDs equal those of `ObjectStreamClass` of JDK 17."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pyredisson.classfile import default_serial_version_uid, read_class
from tests.support.rows import each_row

ROWS = json.loads((Path(__file__).parents[2] / "vectors" / "uids.json").read_text("utf-8"))


@each_row("row", ROWS, ids=lambda row: row["java"])
def test_uid_is_the_one_that_java_computes(row: dict[str, Any]) -> None:
    """The rows are a public class with all kinds of members, and nested classes."""
    found = read_class(bytes.fromhex(row["hex"]), row["java"])
    assert default_serial_version_uid(found) == row["uid"]


def test_all_kinds_were_recorded() -> None:
    names = {row["java"].removeprefix("com.example.Tricky") for row in ROWS}
    assert names == {"", "$Base", "$Hidden", "$Inner", "$Inner$Deep", "$Usual"}
