"""The names of the commands that need `pyredisson[cli]`, with the modules that have them."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["VERBS", "Verb"]


class Verb(NamedTuple):
    """A command: its module in `cli/`, the function there, and its line in the help."""

    module: str
    function: str
    help: str


VERBS = {
    "queues": Verb("looks", "queues", "Find delayed queues."),
    "stats": Verb("looks", "stats", "Show how many items queues have in each state."),
    "top": Verb("top", "top", "Show the counts of queues live, with changes a second."),
    "items": Verb("items", "items", "List a queue's items."),
    "completion": Verb("completion", "completion", "Print what a shell needs to complete."),
    "decode": Verb("decode", "decode", "Show what some bytes are, and which codec reads them."),
    "dev-server": Verb("dev_server", "dev_server", "Run a server for development until Ctrl-C."),
    "offer": Verb("offer", "offer", "Offer values with a delay."),
    "take": Verb("take", "take", "Take ready items, which removes them."),
    "cancel": Verb("changes", "cancel", "Remove a pending item."),
    "reschedule": Verb("changes", "reschedule", "Set another due time for a pending item."),
    "pause": Verb("changes", "pause", "Stop consumers and workers from taking items."),
    "resume": Verb("changes", "resume", "Let consumers and workers take items again."),
    "doctor": Verb("doctor", "doctor", "Find out why nothing arrives."),
    "repair": Verb("repair", "repair", "Repair the problems that `check` reports."),
    "worker": Verb("worker", "worker", "Call a function with each message, until stopped."),
    "dashboard": Verb("dashboard", "dashboard", "Show all queues in a browser."),
    "dead": Verb("dead", "dead", "List, show, redrive or drop dead letters."),
    "poison": Verb("poison", "poison", "List, requeue or drop what could not be decoded."),
    "migrate": Verb("migrate", "migrate", "Change items' format or codec, or move them."),
}
