"""`from_url`, and calls of its client, show no part of a password in errors and logs."""

import logging
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pyredisson import AsyncRedisson
from pyredisson.codecs import StringCodec
from pyredisson.server_errors import ServerError
from tests.support.passwords import ambiguous, parts_in, passwords, shown, url_forms
from tests.support.server import RedisServer

SPECIAL = [*"/?#["]
WITHOUT_HOST = ["redis://:{}", "rediss://user:{}", "unix://:{}"]
EXPECTED = (TypeError, ValueError, ServerError)
WRONG = "redis://:SECRETab{}cd@h:1/0"


async def read(url: str) -> None:
    async with AsyncRedisson.from_url(url, codec=StringCodec(), response_timeout=1) as redisson:
        assert url not in repr(redisson)
        await redisson.get_bucket("b").get()


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(passwords, st.sampled_from(url_forms()), st.booleans())
async def test_errors_and_logs_show_no_part_of_a_password(
    caplog: pytest.LogCaptureFixture, password: str, form: str, encoded: bool
) -> None:
    caplog.clear()
    url = form.format(quote(password, safe="") if encoded else password)
    with caplog.at_level(logging.DEBUG), pytest.raises(EXPECTED) as caught:
        await read(url)
    text = shown(caught.value) + caplog.text
    assert not parts_in(text, password), text


@settings(max_examples=150, deadline=None)
@given(passwords, st.sampled_from(WITHOUT_HOST))
def test_error_for_a_url_without_a_host_hides_the_password(password: str, form: str) -> None:
    if not ambiguous(password):
        with pytest.raises(ValueError, match="wrong URL") as caught:
            AsyncRedisson.from_url(form.format(password))
        assert not parts_in(shown(caught.value), password), shown(caught.value)


@pytest.mark.parametrize("special", SPECIAL)
def test_error_names_how_to_encode_special_characters(special: str) -> None:
    with pytest.raises(ValueError, match=r"^from_url\(\): .*%2F.*%23.*%3F.*%2C") as caught:
        AsyncRedisson.from_url(WRONG.format(special))
    assert "SECRET" not in shown(caught.value)


async def test_from_url_accepts_unusual_urls() -> None:
    for url in (
        "redis://h?password=a@b/c&max_connections=3&db=1&",
        "redis://:a@b@h:1/?client_name=me@host",
        "unix:///tmp/a@b?password=c@d",
        "redis://h/0/",
        "redis://:6379",
        "rediss://[::1]:6379/%31",
    ):
        async with AsyncRedisson.from_url(url) as redisson:
            assert "open" in repr(redisson)


def test_from_url_rejects_bytes_without_showing_them() -> None:
    with pytest.raises(TypeError, match=r"^from_url\(\) takes a URL as a str, not bytes$"):
        AsyncRedisson.from_url(b"redis://:SECRETab@h")  # type: ignore[arg-type] # on purpose


@pytest.mark.parametrize("option", ["", "?protocol=2", "?protocol=3"])
async def test_password_is_hidden_if_the_server_repeats_it(
    option: str, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    """A server or proxy without AUTH repeats the arguments of AUTH in its error."""
    names = ("--rename-command", "AUTH", "", "--rename-command", "HELLO", "")
    with RedisServer("--requirepass", "SECRETabc", *names) as server:
        url = f"redis://:SECRETabc@127.0.0.1:{server.port}/0{option}"
        caplog.set_level(logging.DEBUG)
        async with AsyncRedisson.from_url(url, codec=StringCodec(), transfer_process=True) as one:
            with pytest.raises(ServerError, match="unknown command") as caught:
                await one.get_bucket("b").get()
            one.get_delayed_queue(one.get_queue("q"))
            await one.health()
    text = "".join([shown(caught.value), caplog.text, *capfd.readouterr()])
    assert "SECRET" not in text
