"""A stream with consumer groups, as the tests of scripts store it."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Stream:
    """Messages by id, and the position of each group; `read` has a group that has not confirmed."""

    messages: dict[str, bytes]
    groups: dict[str, str]
    read: tuple[str, str] | None = None

    def store(self, client: Any, key: str) -> None:
        """Store the stream."""
        run = client.execute_command
        for entry, value in self.messages.items():
            run("XADD", key, entry, "m", value)
        for group, position in self.groups.items():
            run("XGROUP", "CREATE", key, group, "0", "MKSTREAM")
            if self.read is not None and self.read[0] == group:
                run("XREADGROUP", "GROUP", group, "c", "COUNT", "1", "STREAMS", key, ">")
            run("XGROUP", "SETID", key, group, position)
