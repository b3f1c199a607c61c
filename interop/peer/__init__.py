"""A real Java Redisson, and Spring services with one: how they are built, started and spoken to."""

from interop.peer.java_peer import (
    Java,
    JavaClient,
    JavaError,
    JavaPeer,
    Pending,
    Reply,
    UnavailableError,
    how,
)

__all__ = [
    "Java",
    "JavaClient",
    "JavaError",
    "JavaPeer",
    "Pending",
    "Reply",
    "UnavailableError",
    "how",
]
