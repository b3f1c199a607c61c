"""Checks whether a process of the tests has ended, on each operating system."""

import subprocess
import sys
from pathlib import Path


def has_ended(pid: int) -> bool:
    """Return whether a process has ended; a zombie counts as ended.

    Orphans stay zombies if no init process reaps them, as in many containers.
    """
    if sys.platform == "linux":
        try:
            status = Path(f"/proc/{pid}/stat").read_text()
        except (FileNotFoundError, ProcessLookupError):
            return True
        return status.rpartition(")")[2].split()[0] in "ZX"
    command = ["ps", "-o", "stat=", "-p", str(pid)]
    listed = subprocess.run(command, capture_output=True, text=True, check=False)
    return listed.stdout.strip()[:1] in ("", "Z")
