"""Fixtures of the interop tests: the servers of the other tests, a Java peer per release, clients.

A machine that cannot run Java skips these tests and fails them when CI=true.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from interop.peer import JavaClient, JavaPeer, UnavailableError, how
from interop.peer.build import MATRIX
from interop.tests.support.fleet import connect
from tests.conftest import (
    certificates,
    cluster,
    cluster_with_replicas,
    own_server,
    proxy,
    raw,
    sentinels,
    server,
    session_server,
    shared_cluster,
    shared_server,
    url,
    without_telemetry,
)
from tests.support.collected import pytest_collection, pytest_collection_finish
from tests.support.order import begin_with
from tests.support.services import unavailable

__all__ = [
    "certificates",
    "cluster",
    "cluster_with_replicas",
    "own_server",
    "proxy",
    "pytest_collection",
    "pytest_collection_finish",
    "raw",
    "sentinels",
    "server",
    "session_server",
    "shared_cluster",
    "shared_server",
    "url",
    "without_telemetry",
]

Peers = Callable[[str], JavaPeer]
Clients = Callable[..., JavaClient]


LONG = [
    "test_soak",
    "test_conservation",
    "test_eras",
    "test_spring",
    "test_transfer_differential",
    "test_queues",
    "test_peer",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    begin_with(LONG, items)


def pytest_report_header() -> str:
    return f"java peer: {how()}, releases {', '.join(MATRIX)}"


@pytest.fixture(scope="session")
def java() -> Iterator[Peers]:
    """``java("3.21.1")``: the peer with that release, shared; started once, or again if it died."""
    peers: dict[str, JavaPeer] = {}
    with ExitStack() as stack:

        def peer(release: str = MATRIX[0]) -> JavaPeer:
            if release not in peers or peers[release].ended:
                try:
                    peers[release] = stack.enter_context(JavaPeer(release))
                except UnavailableError as error:
                    unavailable(f"no Java peer: {error}")
            return peers[release]

        yield peer


@pytest.fixture
def java_client(java: Peers, url: str) -> Iterator[Clients]:
    """``java_client("4.7.0", codec="String")``: a client, shut down after the test."""
    with ExitStack() as stack:

        def client(release: str = MATRIX[0], *others: str, **options: Any) -> JavaClient:
            return stack.enter_context(connect(java(release), *(others or (url,)), **options))

        yield client
