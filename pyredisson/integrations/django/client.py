"""The process's client, and offers when a transaction commits."""

from __future__ import annotations

import atexit
from datetime import datetime
from functools import partial
from threading import Lock
from typing import Any, TypeVar

from django.db import transaction

from pyredisson import DelayedQueue, Redisson
from pyredisson.integrations.django.configuration import Configuration
from pyredisson.protocol.kernel.due import Due, Seconds

__all__ = ["close_redisson", "get_redisson", "offer_on_commit"]

V = TypeVar("V")

_clients: list[Redisson] = []
_lock = Lock()


def get_redisson() -> Redisson:
    """Return the process's client, made from the settings at the first call.

    It may be used by all threads, and in forked children. It closes when the process ends.

    Raises:
        ImproperlyConfigured: a setting is missing or wrong.
    """
    with _lock:
        if not _clients:
            found = Configuration.read()
            _clients.append(
                Redisson(
                    found.place.client(), codec=found.codec, release=found.release, **found.options
                )
            )
        return _clients[0]


def close_redisson(**_: Any) -> None:
    """Close the process's client, if there is one; the next call makes another one."""
    with _lock:
        found = _clients.copy()
        _clients.clear()
    for each in found:
        each.close()


def offer_on_commit(
    delayed: DelayedQueue[V],
    value: V,
    delay: Seconds | None = None,
    *,
    at: datetime | None = None,
    using: str | None = None,
) -> None:
    """Offer a value when the current transaction commits, or at once outside of transactions.

    The item is lost if the process ends between the commit and the offer. If that matters, offer in
    the transaction, and let the handler check whether the row exists (docs/django.md).

    Args:
        delayed: the delayed queue.
        value: any value that the codec can encode, which must not change until the commit.
        delay: seconds or a timedelta from the commit on.
        at: the due time instead of a delay, an aware datetime.
        using: the database, if it is not the default one.

    Raises:
        EncodeError, TypeError, ValueError: at once, so that the transaction is rolled back.
        ServerError, OfferError: after the commit, as from `offer`.
    """
    Due.of(delay, at)
    delayed._encode(value)
    transaction.on_commit(partial(delayed.offer, value, delay, at=at), using=using)


atexit.register(close_redisson)
