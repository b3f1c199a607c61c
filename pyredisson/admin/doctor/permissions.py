"""Missing permissions of the current user: acl.

The rule: if only a few permissions of a role are missing, the user is probably meant for this role.
Before Redis 7.0, only rejected questions show which permissions are missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from pyredisson.admin.doctor.needs import ROLES
from pyredisson.admin.doctor.patient import Diagnosis, Patient
from pyredisson.admin.nodes import ask
from pyredisson.protocol.checks.examine import permitted
from pyredisson.protocol.kernel.command import Arg, Command
from pyredisson.server_errors import LOST, ReplyError

__all__ = ["permissions"]

_LITTLE = 3
"""The maximum number of missing rules with which a user is probably meant for a role."""
_CHANNEL = {"publish", "subscribe"}


def permissions(patient: Patient) -> Iterator[Diagnosis]:
    """Find missing permissions."""
    name = _user(patient)
    lacking: dict[str, list[str]] = {}
    for role in ROLES:
        found = _lacking(patient, role)
        if found is None:
            break
        lacking[role] = found
        if not found:
            patient.looked_at.append(f"permissions as a {role}: complete")
    yield from _roles(name, lacking)
    if patient.denied:
        rules = sorted({rule for each in patient.denied for rule in _rules_in(each)})
        yield Diagnosis(
            "acl",
            "warning" if patient.stats else "error",
            f"the user {name} may not ask all that was needed: {patient.denied[0]}",
            f"ACL SETUSER {name} {' '.join(rules)}" if rules else None,
        )


def _user(patient: Patient) -> str:
    try:
        question = Command(("ACL", "WHOAMI"), bytes, "", safe=True)
        return ask(patient.server, question).decode()
    except (ReplyError, *LOST):  # only the texts need the name
        return "USER"


def _roles(name: str, lacking: dict[str, list[str]]) -> Iterator[Diagnosis]:
    cannot = {role: rules for role, rules in lacking.items() if rules}
    few = {role: rules for role, rules in cannot.items() if len(rules) <= _LITTLE}
    could = [role for role, rules in lacking.items() if not rules]
    if few and not {"worker", "sidecar"} & {*could}:
        rules = " ".join(dict.fromkeys(rule for each in few.values() for rule in each))
        yield Diagnosis(
            "acl",
            "warning",
            f"the user {name} lacks {rules} of what {_or(few)} needs (docs/rights.md)",
            f"ACL SETUSER {name} {rules}",
        )
    elif cannot:
        much = ", ".join(f"{role} ({len(rules)} rules)" for role, rules in cannot.items())
        least = min(cannot.values(), key=len)
        can = f"can be {_or(could)}" if could else "can neither offer nor transfer nor take"
        yield Diagnosis(
            "acl",
            "info" if could else "warning",
            f"the user {name} {can}; it lacks permissions for: {much} (docs/rights.md)",
            f"ACL SETUSER {name} {' '.join(least)}",
        )


def _or(roles: Iterable[str]) -> str:
    return " or ".join(f"a {role}" for role in roles)


def _rules_in(text: str) -> list[str]:
    """Return the ACL rules that an error text of pyredisson or Redis names."""
    named = [rule for each in re.findall(r"which needs (.+)\)$", text) for rule in each.split(" ")]
    return named or [f"+{each.lower()}" for each in re.findall(r"'([\w|]+)' command", text)]


def _lacking(patient: Patient, role: str) -> list[str] | None:
    """Return the missing rules of a role; None before Redis 7.0, or if the question is rejected."""
    queue = patient.names.queue
    words, with_keys = ROLES[role]
    keys = queue.keys() if with_keys else (queue.name, queue.poison)
    questions: list[tuple[str, str, tuple[Arg, ...]]] = []
    for word in words:
        places = ("",) if word in _CHANNEL else keys
        questions += [(word, key, _question(word, key, queue.channel)) for key in places]
    answers = patient.ask(permitted([each for _, _, each in questions], queue.name))
    if answers is None:
        return None
    allowed = [(word, key) for (word, key, _), yes in zip(questions, answers, strict=True) if yes]
    commands, readable = {word for word, _ in allowed}, {key for _, key in allowed}
    rules = [f"+{word}" for word in words if word not in commands and readable - {""}]
    closed = dict.fromkeys(_pattern(patient, key) for key in keys if key not in readable)
    if "+publish" in rules or "+subscribe" in rules:
        rules.append(f"&{queue.channel}")
    return [*closed, *rules]


def _pattern(patient: Patient, key: str) -> str:
    prefix, colon, rest = key.partition(":")
    if key == patient.names.queue.name or not colon:
        return f"~{key}"
    return f"~{'redisson_delay_queue' if prefix.startswith('redisson') else 'pyredisson_'}*:{rest}"


def _question(word: str, key: str, channel: str) -> tuple[Arg, ...]:
    """Return a call of a command; the ACL depends on its keys and channels alone."""
    arguments: dict[str, tuple[Arg, ...]] = {
        "publish": (channel, "x"),
        "subscribe": (channel,),
        **dict.fromkeys(("eval", "evalsha"), ("return 1", 1, key)),
        "blmpop": (0, 1, key, "LEFT"),
        "blmove": (key, key, "LEFT", "LEFT", 0),
        "blpop": (key, 0),
        **dict.fromkeys(("del", "exists"), (key,)),
    }
    return (word, *arguments.get(word, (key, "0", "x")))
