"""The soak, for a short time: nothing that was offered is lost."""

import json
import os
import subprocess
import sys
from pathlib import Path

from interop.tests.conftest import Peers


def test_nothing_is_lost(java: Peers, tmp_path: Path) -> None:
    """Python and Java offer; the faults hit processes that store, move and handle."""
    java("4.7.0")  # else the peer reports what is missing
    report = tmp_path / "report.json"
    words = ["--minutes", "0.4", "--seed", "7", "--java", "--json", str(report)]
    done = subprocess.run(
        [sys.executable, "-m", "interop.soak", *words],
        capture_output=True,
        text=True,
        check=False,
        env=dict(os.environ),
    )
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(report.read_text())
    assert found["lost"] == found["never_offered"] == found["pending"] == 0
    assert found["offered"] == found["acknowledged"] + found["dead"]
    assert found["duplicates"] <= found["leases_ended"]
    assert found["offered"] > 1000
    assert sum(found["faults"].values()) > 3
