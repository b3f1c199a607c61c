"""`pyredisson decode HEX`: what some bytes in Redis are."""

from __future__ import annotations

import ast
import re
import sys

import click

from pyredisson.admin.codecs import schemas_in
from pyredisson.admin.decode import Decoded
from pyredisson.admin.decode import decode as decoded
from pyredisson.admin.json_values import jsonable_or_none, text_of
from pyredisson.cli.basic import DONE, NO, without_passwords
from pyredisson.cli.options import Session, offline

__all__ = ["decode"]

_HEX = re.compile(rb"(0x)?([0-9a-f]{2})+", re.IGNORECASE)
_SPACE = re.compile(rb"[\s:]+")
_RELEASES = {"Bc0Lc0": "Redisson 3.21.1 and newer", "dLc0": "Redisson up to 3.21.0"}


@click.command()
@click.argument("data", metavar="HEX")
@offline(codec=True)
def decode(session: Session, data: str) -> int:
    r"""Show what some bytes are: a queue's entry or a value, and which codec reads it.

    HEX may have spaces, colons and 0x, or be a text in double quotes as redis-cli shows it. With -
    the bytes come from stdin, in hex or as they are. No server is asked.

    Examples:
      pyredisson decode 0368656c6cef
      pyredisson decode '"\x03hell\xef"'
      redis-cli --raw LINDEX orders 0 | head -c -1 | pyredisson decode -
    """
    raw = _piped() if data == "-" else _bytes_of(data)
    schemas = schemas_in(session.schemas) if session.schemas else None
    found = decoded(raw, session.codec_name, session.release, schemas)
    session.output.document(
        {
            "kind": found.kind,
            "format": found.format,
            "id": found.id,
            "codec": found.codec,
            "value": jsonable_or_none(found.value),
            "text": _text(found),
            "candidates": [
                {"codec": each.codec, "text": text_of(each.value)} for each in found.candidates
            ],
            **({} if found.error is None else {"error": found.error}),
        }
    )
    _show(session, found)
    return DONE if found.error is None else NO


def _text(found: Decoded) -> str:
    return found.raw.hex() if found.error is not None else text_of(found.value)


def _show(session: Session, found: Decoded) -> None:
    size = f"{len(found.raw)} bytes"
    rows = [("value", size if found.raw else "empty (0 bytes)")]
    if found.format is not None:
        rows[:0] = [
            ("entry", f"{found.format}, {_RELEASES[found.format]}"),
            ("id", str(found.id)),
        ]
    rows += [("codec", found.codec or "?"), ("text", _text(found))]
    if found.error is not None:
        rows.append(("error", found.error))
    others = [each for each in found.candidates if each.codec != found.codec]
    rows += [("or", f"{each.codec}: {text_of(each.value)}") for each in others]
    for title, text in rows:
        session.output.say(f"{title:<6} {text}")


def _piped() -> bytes:
    data = sys.stdin.buffer.read()
    return _from_hex(data) or data


def _bytes_of(text: str) -> bytes:
    short = without_passwords(text)[:40]
    if re.fullmatch(r'\s*".*"\s*', text, re.DOTALL):
        try:
            quoted: bytes = ast.literal_eval(f"b{text.strip()}")
        except (SyntaxError, ValueError):
            raise ValueError(f"{short} is no text as redis-cli shows it") from None
        return quoted
    found = _from_hex(text.encode(errors="replace"))
    if found is None:
        raise ValueError(
            f"{short!r} is no hexadecimal text: write two digits a byte, as 0368656c6cef, or "
            "pipe the bytes to `pyredisson decode -`"
        )
    return found


def _from_hex(data: bytes) -> bytes | None:
    """Return the bytes of a hexadecimal text; None if it is not one."""
    digits = _SPACE.sub(b"", data)
    if digits and not _HEX.fullmatch(digits):
        return None
    return bytes.fromhex(digits.decode().lower().removeprefix("0x"))
