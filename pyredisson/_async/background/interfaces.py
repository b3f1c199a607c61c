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
    """Whether it continues in a forked child, and in another event loop. False if it has an owner
    in this process and loop."""

    def renewed_keys(self) -> Iterable[str]:
        """Return the keys whose time to live it renews, as long as it runs."""
        return ()

    def time_passed(self, seconds: float) -> None:
        """Note that the clock of a test has moved on; `math.inf` if everything begins anew."""

    def hurry(self) -> None:
        """Wake what waits for a time; called where the client runs, after `time_passed`."""


class AsyncPeriodicJob(AsyncBackgroundWork):
    """Work that runs again and again, at times that it chooses itself."""

    key: str
    """The key in Redis that it works on; the jobs of one server run one after the other."""
    here: object = None
    """Where it was acquired (`surroundings_async`), if it may not wait for other jobs of its
    server. It then has a worker of its own, and continues while another event loop uses the
    client."""

    def wait_seconds(self) -> float:
        """Return the seconds until the next run: 0 if it is due, `math.inf` for no run.

        The kernel calls this when the job is added, after each run, and from
        `AsyncBackground.plan`.
        """
        raise NotImplementedError

    async def run(self, link: AsyncLink) -> None:
        """Run once.

        Any error counts as an outage of the server, which the kernel logs once. If the connection
        is lost, the other due jobs of this server are skipped.
        """
        raise NotImplementedError

    def skipped(self) -> None:
        """Note that the job was due but its server is lost; `wait_seconds` must now pause."""

    @staticmethod
    async def filter_due(link: AsyncLink, jobs: Sequence[Any]) -> Sequence[Any]:
        """Return those of many due jobs of this class that have something to do.

        A class overrides this if one operation can check many of its jobs.
        """
        return jobs


class AsyncChannelListener(AsyncBackgroundWork):
    """A receiver of published messages. If it is a job, too, each event plans it again."""

    channels: tuple[str, ...]
    """The channels that it listens to; they never change."""
    sharded = False
    """Whether its messages are published by SPUBLISH, in a cluster that supports it."""
    only_sharded = False
    """With `sharded`: whether they are published by SPUBLISH on any server."""
    patterns = False
    """Whether its channels are patterns; `on_message` then gets the channel that matches."""

    def on_subscribed(self, channel: str) -> None:
        """Handle a new subscription of a channel: earlier messages may have been lost."""

    def on_message(self, channel: str, payload: bytes) -> None:
        """Handle a message."""
