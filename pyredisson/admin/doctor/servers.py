"""The server: memory, restricted-server, and cross-slot.

The rule: a command is sent with too few arguments, so that it has no effect. EVAL and EVALSHA are
sent with all arguments, because a proxy needs their keys. Their script has no effect.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pyredisson._sync.topology.topology import Cluster
from pyredisson.admin.doctor.patient import Diagnosis, Patient, Severity
from pyredisson.admin.nodes import ask, ask_all
from pyredisson.protocol.checks.check import CheckProtocol
from pyredisson.protocol.kernel.capabilities import CONSEQUENCES, is_of_command
from pyredisson.protocol.kernel.command import Arg, Command
from pyredisson.protocol.kernel.names import alias_of, slot
from pyredisson.protocol.kernel.replies import truth
from pyredisson.server_errors import LOST, NoPermissionError, NoScriptError, ReplyError

__all__ = ["cross_slot", "memory", "servers"]

_NEEDED = {
    "EVAL": "delayed queues, consumers and workers do not work",
    "SUBSCRIBE": "transfer tasks poll every safety interval, so items of other clients are late",
    **{name: CONSEQUENCES[name] for name in ("PUBLISH", "EVALSHA", "BLPOP", "BLMOVE")},
}
_ARGUMENTS = {"EVAL": ("return 1",), "EVALSHA": ("0" * 40,)}
_EXISTS = re.compile(r"number of arg|syntax", re.IGNORECASE)
_NEAR, _FULL = 0.9, 0.99
_MEMORY = re.compile(rb"^(used_memory|maxmemory|maxmemory_policy):(\S+)", re.MULTILINE)


def servers(patient: Patient) -> Iterator[Diagnosis]:
    """Find out whether the memory of the server is nearly full, and which commands it rejects."""
    yield from memory(patient.ask_server(patient.server, "INFO", "memory"))
    missing = dict(_missing(patient))
    if "TIME" in {each.partition(":")[0] for each in patient.rejected}:
        missing["TIME"] = CONSEQUENCES["TIME"]
    if missing:
        costs = "; ".join(f"{name}: {cost}" for name, cost in missing.items())
        if patient.stats is None and patient.rejected:
            costs += f". The queue could not be examined: {patient.rejected[0]}"
        late = missing.keys() & {"SUBSCRIBE", "PUBLISH", "TIME"}
        worst: Severity = "error" if "EVAL" in missing else "warning" if late else "info"
        yield Diagnosis("restricted-server", worst, f"the server lacks {costs}")
    patient.looked_at.append("memory and commands of the server")


def memory(reply: object) -> Iterator[Diagnosis]:
    """Find out from the reply to INFO whether a server's memory is nearly full."""
    found = dict(_MEMORY.findall(reply)) if isinstance(reply, bytes) else {}
    used, most = int(found.get(b"used_memory", 0)), int(found.get(b"maxmemory", 0))
    if most and used >= _NEAR * most:
        keeps = found.get(b"maxmemory_policy", b"").startswith((b"noeviction", b"volatile"))
        then = "then it rejects offers" if keeps else "then it deletes keys, also queues"
        yield Diagnosis(
            "memory",
            "error" if used >= _FULL * most else "warning",
            f"the server uses {used / 2**20:.0f} of at most {most / 2**20:.0f} MB; {then}",
            f"CONFIG SET maxmemory {2 * most}",
        )


def _missing(patient: Patient) -> Iterator[tuple[str, str]]:
    key = patient.names.queue.name
    for name, cost in _NEEDED.items():
        try:
            words: tuple[Arg, ...] = (
                name,
                *_ARGUMENTS.get(name, ()),
                *((1, key) if name in _ARGUMENTS else ()),
            )
            ask(patient.server, Command(words, str, key, safe=True))
        except (NoPermissionError, NoScriptError):
            continue  # `permissions` finds missing permissions
        except ReplyError as error:
            if is_of_command(str(error)) and not _EXISTS.search(str(error)):
                yield name, cost
        except LOST:
            yield name, f"{cost} (the connection was closed)"


def cross_slot(patient: Patient) -> Iterator[Diagnosis]:
    """Find a name whose keys are in several slots, or are those of another queue, too."""
    keys = tuple(CheckProtocol(patient.names).types())
    clustered = isinstance(patient.redisson._context.link.topology, Cluster)
    if len({slot(key) for key in keys}) > 1:
        new = re.sub(r"[{}]", "", patient.name) or "queue"
        yield Diagnosis(
            "cross-slot",
            "error" if clustered else "info",
            f"the keys of {patient.name!r} are in different slots, because of its braces: "
            f"neither Java nor pyredisson can use it in {'this' if clustered else 'a'} cluster",
            f"pyredisson migrate {patient.quoted} --rename {new}",
        )
    name = patient.names.queue.name
    if (alias := alias_of(name)) is None:
        return
    questions = (Command(("EXISTS", each), truth, each, safe=True) for each in (name, alias))
    if all(each is True for each in ask_all(patient.redisson, questions)):
        yield Diagnosis(
            "cross-slot",
            "error",
            f"{name!r} and {alias!r} are two queues with the same companion keys: a pending item "
            "of one is transferred to either of them",
            f"pyredisson migrate {patient.quoted} --rename {re.sub('[{}]', '', name)}-2",
        )
