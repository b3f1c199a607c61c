"""What belongs to one process says so to whoever would send it to another one."""

from __future__ import annotations

from typing import NoReturn

__all__ = ["Unpicklable"]


class Unpicklable:
    """Refuses `pickle` and `copy`, and so what sends objects to other processes."""

    __slots__ = ()

    def __reduce__(self) -> NoReturn:
        """Refuse.

        Raises:
            TypeError: always; it says what to do instead.
        """
        raise TypeError(
            f"a {type(self).__name__} cannot be pickled or copied: its connections and background "
            "tasks belong to this process; send the URL and the names, and make a client in the "
            "other process with Redisson.from_url() or AsyncRedisson.from_url()"
        )
