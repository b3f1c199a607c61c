"""Passwords that are hard to write in a URL, and the search for their parts in output.

Rule: a part is four consecutive characters of a password, as specified, percent-encoded or decoded.
A part counts only with two letters of the passwords' alphabet, or if it has only digits: no other
text contains it.
"""

import traceback
from collections.abc import Iterator
from urllib.parse import quote, unquote, unquote_plus

import redis
from hypothesis import strategies as st

_LETTERS = ("QX", "ZJ", "KV", "XK")
_DIGITS = "54321"
_SPECIAL = (*"/?#,@[]:%&= +;\\\"'!", "\u00e9", "\u2100", "://", "%2", "%41")
_PART = 4

_UNIX = (
    "unix://:{}@/tmp/pyredisson-none.sock",
    "unix://user:{}@/tmp/pyredisson-none.sock?db=1",
    "unix:///tmp/pyredisson-none.sock?password={}",
)
"""redis-py 5.0 does not close a Unix socket that it could not connect."""

passwords = st.lists(st.sampled_from((*_LETTERS, _DIGITS, *_SPECIAL)), min_size=2, max_size=9).map(
    "".join
)
"""Passwords with all characters that have a meaning in URLs."""


def url_forms(place: str = "127.0.0.1:1") -> list[str]:
    """Return correct and wrong URLs with `{}` in place of the password."""
    return [
        f"redis://:{{}}@{place}/0",
        f"redis://user:{{}}@{place}",
        f"rediss://user:{{}}@{place}/0",
        *(() if redis.__version__.startswith("5.0.") else _UNIX),
        f"redis://{place}/0?password={{}}",
        f"redis://{place}/0?password={{}}&db=1",
        "redis://:{}@127.0.0.1:wrong/0",
        "redis://:{}@127.0.0.1:99999/0",
        "redis://:{}@:1/0",
        "redis://:{}@[::1/0",
        f"redis://:{{}}@{place}/orders",
        f"http://:{{}}@{place}/0",
        f"{{}}@{place}/0",
        f"redis://:{{}}@{place}/?db=x",
        f"redis://:{{}}@{place}/0?socket_timeout=abc",
        f"rediss://:{{}}@{place}/0?ssl_cert_reqs=odd",
        f"rediss://:{{}}@{place}/0?ssl_ca_certs=/none",
        f"redis://:{{}}@{place}/0?ssl_ca_certs=a.pem",
        f"redis://:{{}}@{place}/0?oddoption=1",
        f"redis://:{{}}@{place}/0?connection_class=odd",
        f"redis://:{{}}@{place}/0#1",
        "redis://:{}@pyredisson.invalid:1/0",
    ]


def shown(error: BaseException) -> str:
    """Return all texts of an error: its traceback, and each error in its chain, shown or not."""
    seen: dict[int, BaseException] = {}
    rest: list[BaseException | None] = [error]
    while rest:
        each = rest.pop()
        if each is not None and id(each) not in seen:
            seen[id(each)] = each
            rest += [each.__cause__, each.__context__]
    texts = [f"{each}\n{each!r}" for each in seen.values()]
    return "\n".join([*texts, *traceback.format_exception(error)])


def parts_in(text: str, password: str) -> list[str]:
    """Return the parts of a password that a text contains."""
    return [each for each in _parts(password) if each in text]


def _parts(password: str) -> Iterator[str]:
    forms = {password, quote(password, safe=""), unquote(password), unquote_plus(password)}
    for form in forms:
        for start in range(len(form) - _PART + 1):
            part = form[start : start + _PART]
            if part in _DIGITS or sum(each in "QXZJKV" for each in part) > 1:
                yield part


def ambiguous(password: str) -> bool:
    """Return whether a URL with this password and without @HOST may be correct."""
    start = password.partition("/")[0].partition("?")[0]
    return start in ("", _DIGITS) or "@" in password
