"""Operations of `pyredisson doctor`: count the elements of keys, check the user's permissions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pyredisson.protocol.kernel.command import Arg, Eval
from pyredisson.protocol.kernel.scripts import load

__all__ = ["permitted", "sizes"]


def sizes(keys: Sequence[str]) -> Eval[dict[str, int]]:
    """Count the elements of lists, sorted sets and hashes at one moment; 0 for all other keys."""

    def read(reply: Any) -> dict[str, int]:
        return dict(zip(keys, reply, strict=True))

    return Eval(load("checks/sizes"), tuple(keys), (), read, safe=True)


def permitted(questions: Sequence[Sequence[Arg]], key: str) -> Eval[list[bool] | None]:
    """Ask which commands the Redis user has permission to run, with their keys and channels.

    A command that the server does not know counts as permitted, because no permission is missing.

    Args:
        questions: the words of each command.
        key: the queue's key. In a cluster it decides which node is asked.

    Returns:
        For each command whether it is permitted; None if the server is older than Redis 7.0.
    """
    words = tuple(word for each in questions for word in (len(each), *each))

    def read(reply: Any) -> list[bool] | None:
        return None if reply is None else [each != 0 for each in reply]

    return Eval(load("checks/permitted"), (key,), words, read, safe=True)
