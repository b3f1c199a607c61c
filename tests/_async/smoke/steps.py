"""All steps, by name and in order: the public functions of the other modules in this folder."""

from __future__ import annotations

from types import ModuleType

from tests._async.smoke import around, consumers, offers, queues
from tests._async.smoke.run import Step


def _of(module: ModuleType) -> dict[str, Step]:
    return {
        name.replace("_", " "): step
        for name, step in vars(module).items()
        if getattr(step, "__module__", None) == module.__name__ and not name.startswith("_")
    }


STEPS: dict[str, Step] = {}
for _module in (queues, offers, consumers, around):
    STEPS |= _of(_module)


def chosen_async(part: str) -> dict[str, Step]:
    """Return the steps whose names contain this part."""
    return {name: step for name, step in STEPS.items() if part in name}
