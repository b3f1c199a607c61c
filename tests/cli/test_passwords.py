"""No command shows a part of a password. The error for a wrong URL has one line."""

import io
import logging
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyredisson.cli.clients import Place
from tests.support.passwords import ambiguous, parts_in, passwords, url_forms
from tests.support.server import RedisServer
from tests.support.shell import Done, shell

HOW = ("%2F", "%23", "%3F", "%2C")
URL = "redis://:SECRETab{}cd@127.0.0.1:1/0"


@contextmanager
def logged() -> Iterator[io.StringIO]:
    """Collect the log records of the block, of all loggers and levels."""
    text = io.StringIO()
    handler, root = logging.StreamHandler(text), logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        yield text
    finally:
        root.removeHandler(handler)
        root.setLevel(level)


def asked(words: list[str], variables: dict[str, str]) -> tuple[Done, str]:
    """Run a command; also return all text that it printed or logged."""
    with patch.dict(os.environ, variables), logged() as log:
        done = shell(*words)
    return done, done.out + done.err + log.getvalue()


def commands(url: str, watcher: str) -> list[tuple[list[str], dict[str, str]]]:
    """Return the ways to specify a URL: the arguments and the environment variables of each."""
    return [
        (["check", "q", "--url", url], {}),
        (["check", "q", "--url", url, "--user", "bob"], {"PYREDISSON_PASSWORD": "x"}),
        (["check", "q", "--cluster", "--url", url], {}),
        (["check", "q", "--sentinel", watcher], {}),
        (["check", "q", "--sentinel", "127.0.0.1:1", "--url", url], {}),
        (["check", "q"], {"PYREDISSON_SENTINEL": watcher}),
        (["queues", "--url", url], {}),
        (["stats", "q", "--json"], {"PYREDISSON_URL": url}),
    ]


def mistakes(url: str) -> list[tuple[list[str], dict[str, str]]]:
    """Return commands with the URL in a wrong place."""
    return [
        (["check", "q", "--ulr", url], {}),
        (["stats", "q", url, "--ulr", url], {}),
        (["dashboard", "--port", "0", "--url", url, url], {}),
        (["decode", url], {"PYREDISSON_URL": url}),
        (["dev-server", url], {"PYREDISSON_URL": url}),
    ]


@settings(max_examples=250, deadline=None)
@given(passwords, st.sampled_from(url_forms()), st.integers(0, 7), st.booleans())
def test_no_command_shows_a_part_of_a_password(
    password: str, form: str, number: int, encoded: bool
) -> None:
    url = form.format(quote(password, safe="") if encoded else password)
    words, variables = commands(url, url)[number]
    done, text = asked(words, variables)
    assert done.code == 2, text
    assert len(done.err.splitlines()) == 1, text
    assert not parts_in(text, password), text


@settings(max_examples=100, deadline=None)
@given(passwords, st.integers(0, 4), st.booleans())
def test_a_url_in_the_wrong_place_shows_no_password(
    password: str, number: int, query: bool
) -> None:
    url = f"redis://user:{password}@127.0.0.1:1/0"
    if query:
        url = f"redis://127.0.0.1:1/0?password={quote(password, safe='')}"
    words, variables = mistakes(url)[number]
    done, text = asked(words, variables)
    assert done.code == 2, text
    assert not parts_in(text, password), text


@settings(max_examples=100, deadline=None)
@given(passwords, st.sampled_from(["redis://:{}", "rediss://user:{}", "unix://:{}"]))
def test_a_url_without_a_host_shows_no_password(password: str, form: str) -> None:
    if ambiguous(password):
        return
    for words, variables in commands(form.format(password), form.format(password))[:5]:
        done, text = asked(words, variables)
        assert done.code == 2, text
        assert not parts_in(text, password), text


@pytest.mark.parametrize("special", [*"/?#["])
@pytest.mark.parametrize(
    ("words", "variable", "named"),
    [
        (["check", "q", "--url", "URL"], "", "--url"),
        (["check", "q", "--cluster", "--url", "URL"], "", "--url"),
        (["transfer", "q", "--url", "URL"], "", "--url"),
        (["queues", "--url", "URL"], "", "--url"),
        (["worker", "posixpath:basename", "q", "--url", "URL"], "", "--url"),
        (["dashboard", "--port", "0", "--url", "URL"], "", "--url"),
        (["check", "q"], "PYREDISSON_URL", "$PYREDISSON_URL"),
        (["check", "q", "--sentinel", "URL"], "", "--sentinel"),
        (["queues"], "PYREDISSON_SENTINEL", "$PYREDISSON_SENTINEL"),
        (["migrate", "q", "--to-url", "URL"], "", "--to-url"),
        (["migrate", "q"], "PYREDISSON_TO_URL", "$PYREDISSON_TO_URL"),
        (["migrate", "q", "--to-url", "redis://m", "--to-sentinel", "URL"], "", "--to-sentinel"),
    ],
)
def test_the_error_names_the_option_and_the_percent_encoding(
    words: list[str], variable: str, named: str, special: str
) -> None:
    wrong = URL.format(special)
    given_words = [wrong if each == "URL" else each for each in words]
    done, text = asked(given_words, {variable: wrong} if variable else {})
    assert done.code == 2, text
    (line,) = done.err.splitlines()
    assert line.startswith(f"pyredisson: {named}: ")
    assert all(each in line for each in HOW), line
    assert "SECRET" not in text


@pytest.mark.parametrize("watcher", ["redis://:12345,SECRET@h:1", "redis://u:12345,a,bSECRET@h"])
def test_a_comma_in_the_password_of_a_sentinel_is_rejected(watcher: str) -> None:
    for words in (["--sentinel", watcher], ["--sentinel", "h:1", "--sentinel", f"h:2,{watcher}"]):
        done, text = asked(["check", "q", *words], {})
        assert done.code == 2
        assert done.err.startswith("pyredisson: --sentinel: ")
        assert all(each in done.err for each in HOW)
        assert "SECRET" not in text
        assert "12345" not in text
    assert Place.of({"sentinel": ["a", ":x@b"]}).sentinels == ("redis://a", "redis://:x@b")
    assert Place.of({"sentinel": ["a:1, b", "redis://u:x%2Cy@c"]}).sentinels == (
        *("redis://a:1", "redis://b", "redis://u:x%2Cy@c"),
    )


@pytest.mark.parametrize("cluster", [[], ["--cluster"]])
@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("redis://127.0.0.1:1/0?ssl_ca_certs=a", "'ssl_ca_certs' needs a URL .* rediss://"),
        ("redis://127.0.0.1:1/0?sock_timeout=1", "no argument 'sock_timeout'.* 'socket_timeout'"),
        ("redis://127.0.0.1:1/0?db=x", "Invalid value for .db."),
        ("redis://127.0.0.1:1/0?socket_timeout=abc", "socket_timeout"),
        ("rediss://127.0.0.1:1/0?ssl_cert_reqs=odd", "odd"),
        ("redis://127.0.0.1:1/0?connection_class=odd", "'connection_class' is no option"),
        ("redis://127.0.0.1:1/orders", "database"),
        ("redis://127.0.0.1:1/0?db", "'db' has no value"),
        ("unix://tmp", "path"),
    ],
)
def test_a_wrong_option_of_a_url_is_named(url: str, said: str, cluster: list[str]) -> None:
    done = shell("check", "q", *cluster, "--url", url)
    assert done.code == 2
    (line,) = done.err.splitlines()
    assert line.startswith("pyredisson: --url"), line
    assert re.search(said, line), line


def test_a_password_with_special_characters_in_a_url(tmp_path: Path) -> None:
    """Each documented way works with a real server."""
    secret, path = "a/b?c#d,e@f%g&h=i j", tmp_path / "s"
    encoded = quote(secret, safe="")
    with RedisServer("--requirepass", secret, "--unixsocket", str(path)) as server:
        place = f"127.0.0.1:{server.port}"
        for url in (
            f"redis://:{encoded}@{place}/0",
            f"redis://default:{encoded}@{place}",
            f"redis://{place}/0?password={encoded}",
            f"unix://:{encoded}@{path}",
            f"unix://{path}?password={encoded}&db=1",
        ):
            assert shell("queues", url=url).code == 1, url
        for name in ("default", ""):
            with patch.dict(os.environ, {"PYREDISSON_PASSWORD": secret}):
                assert shell("queues", "--url", f"redis://{name}@{place}").code == 1
            wrong, text = asked(["queues", "--url", f"redis://{name}:SECRETabc@{place}"], {})
            assert wrong.code == 2
            assert "invalid username-password pair" in text
            assert "SECRETabc" not in text


@pytest.mark.parametrize("option", ["", "?protocol=2", "?protocol=3"])
def test_a_password_in_an_error_of_the_server_is_hidden(option: str) -> None:
    """The error of a server without AUTH contains AUTH's arguments."""
    names = ("--rename-command", "AUTH", "", "--rename-command", "HELLO", "")
    with RedisServer("--requirepass", "SECRETabc", *names) as server:
        place = f"SECRETabc@127.0.0.1:{server.port}"
        for words in (
            ["--url", f"redis://:{place}/0{option}"],
            ["--url", f"redis://bob:{place}/0{option}"],
            ["--cluster", "--url", f"redis://:{place}/0{option}"],
            ["--sentinel", f"redis://:{place}{option}"],
        ):
            done, text = asked(["queues", *words], {})
            assert done.code == 2
            assert "unknown command" in text or "Cluster mode is not enabled" in text
            assert "SECRETabc" not in text


def test_a_place_has_no_password_in_its_repr() -> None:
    place = Place.of({"url": "redis://:SECRETab@h/0", "sentinel": ["redis://:SECRETcd@i"]})
    assert "SECRET" not in repr(place)
    assert "SECRET" not in str(place)


def test_user_and_password_are_percent_encoded() -> None:
    with patch.dict(os.environ, {"PYREDISSON_PASSWORD": "p/q"}):
        assert Place.of({"url": "redis://a%2Fb@h/1"}).url == "redis://a%2Fb:p%2Fq@h/1"
        assert Place.of({"url": "unix:///s?db=1"}).url == "unix://:p%2Fq@/s?db=1"
