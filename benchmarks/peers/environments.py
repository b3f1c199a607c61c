"""Each peer's own environment, `.venv-peers/NAME`, made when the peer is first measured.

Rule: it stays while the interpreter and the peer's lines of requirements.txt are those that it was
made from.
"""

from __future__ import annotations

import re
import subprocess
import sys

from benchmarks.peers.contestants import ROOT, Peer
from benchmarks.peers.processes import FailedError

REQUIREMENTS = ROOT / "benchmarks" / "peers" / "requirements.txt"


def needs(peer: Peer) -> list[str]:
    """Return the peer's lines; none for a peer in the suite's own environment."""
    lines = REQUIREMENTS.read_text("utf-8").splitlines()
    return [line for line in lines if re.search(rf"=.*# {peer.name}\b", line)]


def _install(peer: Peer, lines: str) -> None:
    python = str(peer.scripts / "python")
    subprocess.run(
        [sys.executable, "-m", "venv", "--clear", "--without-pip", str(peer.scripts.parent)],
        check=True,
    )
    subprocess.run(
        [sys.executable, "-m", "pip", "-q", "--python", python, "install", "-r", "/dev/stdin"],
        input=lines,
        text=True,
        check=True,
    )


def make(peer: Peer) -> None:
    """Make the peer's environment, unless it exists."""
    lines = "\n".join(needs(peer))
    made_from = f"{sys.version}\n{lines}\n"
    stamp = peer.scripts.parent / "stamp"
    if peer.ours or (stamp.exists() and stamp.read_text("utf-8") == made_from):
        return
    print(f"making .venv-peers/{peer.name}", flush=True)
    try:
        _install(peer, lines)
    except subprocess.CalledProcessError as error:
        raise FailedError(f"its environment cannot be made: {error}") from error
    stamp.write_text(made_from, "utf-8")
