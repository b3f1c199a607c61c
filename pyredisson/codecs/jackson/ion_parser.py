"""Parses text Ion to a tree: the part of Ion that Jackson writes.

An annotation becomes JSON's form of a class: the member @class of an object, a list of class and
value for any other value. The tree is that of `parser`, with `bytes`, `Decimal`, `float`,
`IonSymbol` and `IonTimestamp`. A regular expression matches one token; no byte is parsed twice.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from pyredisson.java.numbers import exact_decimal
from pyredisson.limits import Limits
from pyredisson.rejection import Rejection

from .lexical import MAX_DIGITS_READ, read_base64
from .parser import IonSymbol, IonTimestamp, Members

__all__ = ["parse_ion"]

_TOKEN = re.compile(
    r"""[ \t\r\n]*(?:
      (?P<text>"(?:[^"\\\n]|\\.)*")
    | (?P<quoted>'(?:[^'\\\n]|\\.)*')
    | (?P<time>[+-]?\d{4,9}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d))
    | (?P<number>-?\d+(?:\.\d*)?(?:[eEdD][+-]?\d+)?)
    | (?P<infinite>[+-]inf)
    | (?P<word>[A-Za-z_$][A-Za-z0-9_$]*)
    | (?P<blob>\{\{[^{}]*\}\})
    | (?P<sign>::|[\[\]{}:,])
    )""",
    re.VERBOSE | re.DOTALL | re.ASCII,
)
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL)
_SHORT = dict(zip("0abtnvfr\"'\\/?", "\0\a\b\t\n\v\f\r\"'\\/?", strict=True))
_WORDS = {"null": None, "true": True, "false": False, "nan": float("nan")}


def parse_ion(data: bytes, limits: Limits) -> Any:
    """Return the tree of a message.

    Raises:
        Rejection: the message is not UTF-8, or not one value of text Ion.
    """
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise Rejection(f"not UTF-8: {error.reason}") from None
    parser = _Parser(text.removeprefix("$ion_1_0 "), limits)
    return parser.message()


class _Parser:
    def __init__(self, text: str, limits: Limits) -> None:
        self._text = text
        self._at = 0
        self._limits = limits

    def message(self) -> Any:
        tree = self._value(*self._next(), 0)
        if self._text[self._at :].strip(" \t\r\n"):
            raise Rejection("not one Ion value: text is left over")
        return tree

    def _next(self) -> tuple[str, str]:
        match = _TOKEN.match(self._text, self._at)
        if match is None:
            raise Rejection(f"not text Ion at character {self._at}")
        self._at = match.end()
        kind = str(match.lastgroup)
        return kind, match[kind]

    def _annotated(self) -> bool:
        if self._text.startswith("::", self._at):
            self._at += 2
            return True
        return False

    def _value(self, kind: str, token: str, depth: int) -> Any:
        if depth > 2 * self._limits.max_depth:
            raise Rejection(f"nested deeper than {self._limits.max_depth}")
        if kind in {"quoted", "word"}:
            name = _unescape(token[1:-1]) if kind == "quoted" else token
            if self._annotated():
                value = self._value(*self._next(), depth + 1)
                if isinstance(value, Members):
                    return Members([("@class", name), *value])
                return [name, value]
            return _WORDS[name] if kind == "word" and name in _WORDS else IonSymbol(name)
        if kind == "sign":
            return self._container(token, depth)
        return _scalar(kind, token)

    def _container(self, mark: str, depth: int) -> Any:
        if mark == "[":
            items: list[Any] = []
            for kind, each in self._parts("]"):
                items.append(self._value(kind, each, depth + 1))
            return items
        if mark == "{":
            members = Members()
            for kind, each in self._parts("}"):
                if kind not in {"quoted", "word", "text"}:
                    raise Rejection("not text Ion: a field without a name")
                name = each if kind == "word" else _unescape(each[1:-1])
                if self._next() != ("sign", ":"):
                    raise Rejection("not text Ion: a field without a value")
                members.append((name, self._value(*self._next(), depth + 1)))
            return members
        raise Rejection(f"not text Ion: {mark!r} instead of a value")

    def _parts(self, end: str) -> Any:
        """Yield the first token of each part of a container, up to its end."""
        token = self._next()
        while token != ("sign", end):
            yield token
            token = self._next()
            if token == ("sign", ","):
                token = self._next()
            elif token != ("sign", end):
                raise Rejection(f"not text Ion: {token[1][:20]!r} without a comma")


def _scalar(kind: str, token: str) -> Any:
    if kind == "text":
        return _unescape(token[1:-1])
    if kind == "time":
        return IonTimestamp(token)
    if kind == "infinite":
        return float(token)
    if kind == "blob":
        return read_base64(token[2:-2].strip())
    return _number(token)


def _number(token: str) -> Any:
    if len(token) > MAX_DIGITS_READ:
        raise Rejection(f"a number of more than {MAX_DIGITS_READ} digits")
    if "e" in token or "E" in token:
        return float(token)
    if "." in token or "d" in token or "D" in token:
        value: Decimal = exact_decimal(token.replace("d", "e").replace("D", "e"))
        if not value.is_finite() or abs(int(value.as_tuple().exponent)) > 9999:
            raise Rejection("a BigDecimal whose scale is beyond 9999")
        return value
    return int(token)


def _unescape(text: str) -> str:
    if "\\" not in text:
        return text

    def plain(match: re.Match[str]) -> str:
        code = match[1] or match[2] or match[3]
        if code is None:
            short = _SHORT.get(match[4])
            if short is None:
                raise Rejection(f"not text Ion: the escape {match[0]!r}")
            return short
        number = int(code, 16)
        if number > 0x10FFFF or 0xD800 <= number < 0xE000:
            raise Rejection(f"not text Ion: the escape {match[0]!r}")
        return chr(number)

    return _ESCAPE.sub(plain, text)
