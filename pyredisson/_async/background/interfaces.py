"""The base classes of what the background kernel runs: periodic jobs and channel listeners.

A class inherits from one or both and defines the methods that it needs. The rule: any thread may
call any method, and only `run` and `filter_due` may block.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pyredisson._async.link.link import AsyncLink


class AsyncBackgroundWork:
    """Background work of a client under a key, which runs as long as it has users."""

    inherited = True
    """Whether the work continues in a forked child, and in another event loop. False if the work
    has an owner in this process and loop."""

    def renewed_keys(self) -> Iterable[str]:
        """Return the keys whose time to live this work renews while it runs."""
        return ()

    def time_passed(self, seconds: float) -> None:
        """Note that a test has moved the clock; with `math.inf`, it has also deleted all keys."""

    def hurry(self) -> None:
        """Wake callers that wait for a time.

        It is called after `time_passed`, in the process and event loop of the client.
        """


class AsyncPeriodicJob(AsyncBackgroundWork):
    """Work that runs again and again, at times that it chooses itself."""

    key: str
    """The key in Redis that the job works on. The jobs of one server run one after the other."""
    here: object = None
    """For an urgent job, where it was acquired (`surroundings_async`); otherwise None. Urgent jobs
    have a separate worker, and do not wait for the ordinary jobs of their server. They continue
    while another event loop uses the client."""

    def wait_seconds(self) -> float:
        """Return the seconds until the next run: 0 if it is due, `math.inf` for no run.

        The kernel calls this when the job is added, after each run, and from
        `AsyncBackground.plan`.
        """
        raise NotImplementedError

    async def run(self, link: AsyncLink) -> None:
        """Run once.

        Any error begins an outage, which the kernel logs once: of the server if the connection is
        lost, otherwise of the job. If the connection is lost, the other due jobs of this server are
        skipped.
        """
        raise NotImplementedError

    def skipped(self) -> None:
        """Note that the job was due but its server is lost.

        The next result of `wait_seconds` must be more than 0.
        """

    @staticmethod
    async def filter_due(link: AsyncLink, jobs: Sequence[Any]) -> Sequence[Any]:
        """Return the jobs that have something to do, from many due jobs of this class.

        A class overrides this if one operation can check many of its jobs.
        """
        return jobs


class AsyncChannelListener(AsyncBackgroundWork):
    """A receiver of published messages.

    If the receiver is also a job, each message and each new subscription plans the job.
    """

    channels: tuple[str, ...]
    """The channels that the listener receives from; they never change."""
    sharded = False
    """Whether SPUBLISH publishes the messages, in a cluster that supports SPUBLISH."""
    only_sharded = False
    """With `sharded`: whether SPUBLISH publishes the messages on every server."""
    patterns = False
    """Whether `channels` are patterns. `on_message` then gets the channel of the message."""

    def on_subscribed(self, channel: str) -> None:
        """Handle a new subscription of a channel: earlier messages may have been lost."""

    def on_message(self, channel: str, payload: bytes) -> None:
        """Handle a message."""
