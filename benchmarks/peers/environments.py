"""Each peer's own environment, `.venv-peers/NAME`: made when it is first measured.

Rule: left alone while the interpreter and the peer's lines of requirements.txt are those it was
made from.
"""

from __future__ import annotations

import re
import subprocess
import sys

from benchmarks.peers.contestants import ROOT, Peer
from benchmarks.peers.processes import FailedError

REQUIREMENTS = ROOT / "benchmarks" / "peers" / "requirements.txt"


def _install(peer: Peer, needs: str) -> None:
    python = str(peer.scripts / "python")
    subprocess.run(
        [sys.executable, "-m", "venv", "--clear", "--without-pip", str(peer.scripts.parent)],
        check=True,
    )
    subprocess.run(
        [sys.executable, "-m", "pip", "-q", "--python", python, "install", "-r", "/dev/stdin"],
        input=needs,
        text=True,
        check=True,
    )


def make(peer: Peer) -> None:
    """Make the peer's environment, unless it is there."""
    if peer.ours:
        return
    lines = REQUIREMENTS.read_text("utf-8").splitlines()
    needs = "\n".join(line for line in lines if re.search(rf"=.*# {peer.name}\b", line))
    made_from = f"{sys.version}\n{needs}\n"
    stamp = peer.scripts.parent / "stamp"
    if stamp.exists() and stamp.read_text("utf-8") == made_from:
        return
    print(f"making .venv-peers/{peer.name}", flush=True)
    try:
        _install(peer, needs)
    except subprocess.CalledProcessError as error:
        raise FailedError(f"its environment cannot be made: {error}") from error
    stamp.write_text(made_from, "utf-8")
