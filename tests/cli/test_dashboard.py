"""`pyredisson dashboard`: the options that it rejects, and the process from start to end."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from tests.support.server import RedisServer
from tests.support.shell import shell
from tests.support.twins import PATIENCE

REFUSED = [
    (("--host", "0.0.0.0"), "needs a token"),
    (("--host", "192.0.2.1"), "needs a token"),
    (("--actions",), "needs a token"),
    (("--allowed-host", "ops.example.com"), "need a token"),
    (("--token", "a", "--token-file", __file__), "not both"),
    (("--token-file", os.devnull), "empty"),
    (("--token", ""), "empty"),
    (("--token-file", "/nowhere"), "does not exist"),
    (("--host", "192.0.2.1", "--token", "x"), "choose another"),
    (("--codec", "nix"), "no codec"),
]


@pytest.mark.parametrize(("words", "text"), REFUSED)
def test_dashboard_rejects_unsafe_and_wrong_options(words: tuple[str, ...], text: str) -> None:
    done = shell("dashboard", "--port", "0", *words, url="redis://127.0.0.1:1")
    assert done.code == 2
    assert text in done.err
    assert done.err.count("\n") == 1


def test_dashboard_serves_until_sigterm(server: RedisServer, tmp_path: Path) -> None:
    (tmp_path / "token").write_text("a long random text\nsecond line")
    command = [sys.executable, "-m", "pyredisson", "dashboard", "--port", "0", "--actions"]
    environment = {**os.environ, "PYREDISSON_URL": server.url}
    words = [*command, "--token-file", str(tmp_path / "token")]
    with subprocess.Popen(
        words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        with urlopen(url, timeout=PATIENCE) as page:
            assert b"<html" in page.read()
        with pytest.raises(HTTPError, match="401"):
            urlopen(f"{url}api/overview", timeout=PATIENCE)
        headers = {"X-Pyredisson-Action": "1", "Sec-Fetch-Site": "same-origin"}
        headers["Content-Type"] = "application/json"
        body = b'{"token": "a long random text"}'
        with urlopen(Request(f"{url}api/sign-in", body, headers), timeout=PATIENCE) as found:
            assert found.status == 204
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert out == ""
    assert 'action="sign-in"' in err
    assert "Traceback" not in err
