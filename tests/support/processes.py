"""Whether a process of the tests has ended, wherever they run."""

import subprocess
import sys
from pathlib import Path


def has_ended(pid: int) -> bool:
    """Whether a process has ended; a zombie, which nobody has waited for, has.

    Orphans stay zombies where no init reaps them, as in many containers.
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
