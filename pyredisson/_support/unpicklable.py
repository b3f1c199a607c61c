"""A base class of objects that belong to one process and cannot be sent to another one."""

from __future__ import annotations

from typing import NoReturn

__all__ = ["Unpicklable"]


class Unpicklable:
    """Rejects `pickle` and `copy`, and so libraries that send objects to other processes."""

    __slots__ = ()

    def __reduce__(self) -> NoReturn:
        """Reject pickling and copying.

        Raises:
            TypeError: always; its text names the alternative.
        """
        raise TypeError(
            f"a {type(self).__name__} cannot be pickled or copied: its connections and background "
            "tasks belong to this process; send the URL and the names instead, and make a client "
            "in the other process with Redisson.from_url() or AsyncRedisson.from_url()"
        )
