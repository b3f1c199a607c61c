"""A real Java Redisson, and Spring services with one: how to build, start and call them."""

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
