"""The owner of something in Redis, such as a lock: one thread or task of one client."""

from __future__ import annotations

from pyredisson._runtime.concurrency import StateLock, process
from pyredisson._runtime.owners import caller_number_async, next_number


class AsyncIdentity:
    """The identity of one client, made at its first use.

    A forked child has another identity: it does not own what the parent owns.
    """

    def __init__(self) -> None:
        self._client_id = ""
        self._process = -1
        self._lock = StateLock()

    @property
    def client_id(self) -> str:
        """A random UUID as text, like a Redisson client's (`ServiceManager.getId` since 3.20.1)."""
        with self._lock.held:
            if self._process != process():
                from uuid import uuid4  # noqa: PLC0415 - seldom

                self._client_id, self._process = str(uuid4()), process()
            return self._client_id

    def owner(self) -> str:
        """Return the calling thread or task as an owner, in the format of Redisson's locks.

        The owner is the client's id, a colon and a number (`RedissonBaseLock.getLockName`).
        Redisson's number is Java's thread id. pyredisson's number is unique in the process and
        never reused.
        """
        return f"{self.client_id}:{caller_number_async()}"

    def new_owner(self) -> str:
        """Return an owner for one acquisition, in the same format; no call returns it again.

        If a reply is lost, the repeated request of this owner finds the result of the first one.
        """
        return f"{self.client_id}:{next_number()}"
