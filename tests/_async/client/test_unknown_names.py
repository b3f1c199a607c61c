"""Arguments and methods that do not exist: the error names the nearest valid name."""

import re
from typing import Any

import pytest

from pyredisson import AsyncRedisson
from pyredisson.codecs import StringCodec


@pytest.mark.parametrize(
    ("url", "options", "name", "near"),
    [
        ("redis://h", {"relase": "4.7.0"}, "relase", "; did you mean 'release'?"),
        ("rediss://h", {"safety_intervall": 1}, "safety_intervall", ".*'safety_interval'"),
        ("redis://h", {"sock_timeout": 1}, "sock_timeout", ".*'socket_timeout'"),
        ("unix:///h?pat=1", {}, "pat", ".*'path'"),
        ("redis://h?zzzzzz=1", {"socket_timeout": 1}, "zzzzzz", "$"),
    ],
)
def test_unknown_argument_error_suggests_the_nearest_name(
    url: str, options: dict[str, Any], name: str, near: str
) -> None:
    with pytest.raises(TypeError, match=f"redis-py have no argument '{name}'{near}"):
        AsyncRedisson.from_url(url, **options)


def test_option_in_the_wrong_place_is_rejected() -> None:
    with pytest.raises(TypeError, match=r"'release' is an argument of from_url\(\), not an option"):
        AsyncRedisson.from_url("redis://h?release=4.7.0")
    with pytest.raises(TypeError, match="'ssl_ca_certs' needs a URL that begins with rediss://"):
        AsyncRedisson.from_url("redis://h?ssl_ca_certs=a.pem")


def test_from_url_passes_arguments_to_redis_py() -> None:
    """redis-py checks them, as they differ by its release."""
    AsyncRedisson.from_url("rediss://h?db=1", ssl_cert_reqs="none", max_connections=3)
    AsyncRedisson.from_url("unix:///tmp/s", socket_connect_timeout=1, codec=StringCodec())
    with pytest.raises(ValueError, match="protocol must be"):
        AsyncRedisson.from_url("redis://h", protocol=7)


def test_unknown_method_error_suggests_the_nearest_name(url: str) -> None:
    client = AsyncRedisson.from_url(url)
    for name, words in (
        ("get_map_cach", "it has get_map_cache"),
        ("get_Lock", "it has get_lock"),
        ("get_transaction", "it has get_atomic_double, .*, get_topic"),
    ):
        with pytest.raises(AttributeError, match=re.escape("'") + f"{name}'; {words}") as caught:
            getattr(client, name)
        assert (caught.value.name, caught.value.obj) == (name, client)
    with pytest.raises(AttributeError, match=r"has no attribute 'lock'$"):
        getattr(client, "lock")  # noqa: B009 - a type checker knows that it is not there
    assert not hasattr(client, "__iter__")
