"""The table of the peers: which processes a user starts, at the defaults and with the best knob.

The knobs are those the peer's own documentation names; the modules in `apps` say where.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_APPS = "benchmarks.peers.apps"


@dataclass(frozen=True)
class Setting:
    """A way to run a peer's workers."""

    name: str
    commands: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    patience: float = 5
    """A task that does not come within these seconds after the last due time counts as missing."""


@dataclass(frozen=True)
class Peer:
    """A contestant, in an environment of its own."""

    name: str
    settings: tuple[Setting, ...]
    """The defaults first, the best last; only one where no setting makes it better."""
    ours: bool = False

    @property
    def scripts(self) -> Path:
        """The folder of the environment's programs."""
        return (
            Path(sys.executable).parent if self.ours else ROOT / ".venv-peers" / self.name / "bin"
        )


_RQ = "rq worker --with-scheduler --url {url}"
_TASKIQ = f"taskiq worker {_APPS}.taskiq:broker"
_SCHEDULER = f"taskiq scheduler {_APPS}.taskiq:scheduler"
_TRANSFER = "pyredisson transfer peers --url {url}"

PEERS = (
    Peer(
        "pyredisson",
        (
            Setting("take(), one process", (f"python -m {_APPS}.pyredisson alone",)),
            Setting("take()", (_TRANSFER, f"python -m {_APPS}.pyredisson take")),
            Setting("consumer", (_TRANSFER, f"python -m {_APPS}.pyredisson consumer")),
        ),
        ours=True,
    ),
    Peer(
        "celery",
        (
            Setting("defaults", (f"celery -A {_APPS}.celery worker",)),
            Setting("threads", (f"celery -A {_APPS}.celery worker --pool threads",)),
        ),
    ),
    Peer(
        "dramatiq",
        (
            Setting("defaults", (f"dramatiq {_APPS}.dramatiq",)),
            Setting(
                "worker_timeout=5",
                (f"dramatiq {_APPS}.dramatiq",),
                {"dramatiq_worker_timeout": "5"},
            ),
        ),
    ),
    Peer(
        "rq",
        (
            Setting("defaults", (_RQ,)),
            Setting("SimpleWorker", (f"{_RQ} --worker-class rq.worker.SimpleWorker",)),
        ),
    ),
    Peer(
        "huey",
        (
            Setting("defaults", (f"huey_consumer {_APPS}.huey.queue",)),
            Setting("8 workers", (f"huey_consumer {_APPS}.huey.queue --workers 8",)),
        ),
    ),
    Peer(
        "arq",
        (
            Setting("defaults", (f"arq {_APPS}.arq.Defaults",)),
            Setting("poll_delay=0.005", (f"arq {_APPS}.arq.Polling",)),
        ),
    ),
    Peer(
        "saq",
        (
            Setting("defaults", (f"saq {_APPS}.saq.settings",)),
            Setting("concurrency=100", (f"saq {_APPS}.saq.concurrent",)),
        ),
    ),
    Peer("streaq", (Setting("defaults", (f"streaq run {_APPS}.streaq:worker",)),)),
    Peer(
        "taskiq",
        (
            Setting("defaults", (_TASKIQ, _SCHEDULER), patience=62),
            Setting(
                "intervals of 1 s",
                (_TASKIQ, f"{_SCHEDULER} --update-interval 1 --loop-interval 1"),
            ),
        ),
    ),
)
