"""A proxy between clients and a server, which moves the time that the clients see.

Run it as a script: ``python _proxy.py PORT_OF_THE_SERVER``. It prints the port on which it listens.
The server's own clock cannot be moved. So the proxy puts `clock.lua` in front of each script, which
moves the times that the script reads and sets. The commands that read or set a moment
(`_WITH_TIME`, SET and GETEX) become such scripts.

The rule: replies are passed on unchanged, so the proxy need not match them with requests. It
imports only the standard library. It runs in its own process, so a test that freezes the time or
blocks does not stop it.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

__all__ = ["Requests", "Scripts", "main"]

_COMMENT = re.compile(r"^\s*--.*\n", re.MULTILINE)
_CLOCK = _COMMENT.sub("", Path(__file__).with_name("clock.lua").read_text("utf-8"))
_CLOCK_LINE = " ".join(_CLOCK.split()).encode() + b" "
_ANY_COMMAND = _CLOCK_LINE + b"return redis.pcall(unpack(ARGV))"
_WITH_TIME = (b"TIME", b"EXPIREAT", b"PEXPIREAT", b"EXPIRETIME", b"PEXPIRETIME")


class Scripts:
    """Puts `clock.lua` in front of the scripts of all clients."""

    def __init__(self) -> None:
        self._hashes: dict[bytes, bytes] = {}
        """The SHA1 of each script, and the SHA1 of the script with `clock.lua` in front."""
        self._ways: dict[bytes, Callable[[Sequence[bytes]], Sequence[bytes] | None]] = {
            **dict.fromkeys(_WITH_TIME, _as_script),
            **dict.fromkeys((b"SET", b"GETEX"), _with_moment),
            **dict.fromkeys((b"EVAL", b"EVAL_RO"), self._eval),
            **dict.fromkeys((b"EVALSHA", b"EVALSHA_RO"), self._evalsha),
            b"SCRIPT": self._about_scripts,
        }

    def rewritten(self, words: Sequence[bytes]) -> Sequence[bytes] | None:
        """Return the words to send instead; None to pass on the request unchanged."""
        way = self._ways.get(words[0].upper()) if words else None
        try:
            return None if way is None else way(words)
        except IndexError:  # arguments are missing; the server returns the error
            return None

    def _eval(self, words: Sequence[bytes]) -> Sequence[bytes]:
        return words[0], self._whole(words[1]), *words[2:]

    def _evalsha(self, words: Sequence[bytes]) -> Sequence[bytes] | None:
        whole = self._hashes.get(words[1].lower())
        return None if whole is None else (words[0], whole, *words[2:])

    def _about_scripts(self, words: Sequence[bytes]) -> Sequence[bytes] | None:
        if words[1].upper() == b"LOAD":
            return *words[:2], self._whole(words[2]), *words[3:]
        if words[1].upper() == b"EXISTS":
            return *words[:2], *(self._hashes.get(each.lower(), each) for each in words[2:])
        return None

    def _whole(self, script: bytes) -> bytes:
        """Return a script with `clock.lua` in front; a line with `#!` stays the first line."""
        first = script.find(b"\n") + 1 if script.startswith(b"#!") else 0
        whole = script[:first] + _CLOCK_LINE + script[first:]
        self._hashes[_sha1(script)] = _sha1(whole)
        return whole


def _as_script(words: Sequence[bytes]) -> Sequence[bytes]:
    return b"EVAL", _ANY_COMMAND, b"0", *words


def _with_moment(words: Sequence[bytes]) -> Sequence[bytes] | None:
    has_moment = any(word.upper() in {b"EXAT", b"PXAT"} for word in words[2:])
    return _as_script(words) if has_moment else None


class Requests:
    """Rewrites the requests of one client.

    Args:
        scripts: the scripts of all clients.
    """

    def __init__(self, scripts: Scripts) -> None:
        self._scripts = scripts
        self._buffer = bytearray()
        self._words: list[bytes] = []
        self._missing = 0
        self._at = 0

    def feed(self, data: bytes) -> bytes:
        """Return the bytes for the server; keep an incomplete request for the next call."""
        self._buffer += data
        found = bytearray()
        while self._complete():
            if self._missing < 0:  # an inline command
                found += self._buffer[: self._at]
            else:
                words = self._scripts.rewritten(self._words)
                found += self._buffer[: self._at] if words is None else packed(words)
            del self._buffer[: self._at]
            self._words, self._missing, self._at = [], 0, 0
        return bytes(found)

    def _complete(self) -> bool:
        """Continue to read, and return whether a whole request is in the buffer."""
        if not self._at:
            line = self._line()
            if line is None:
                return False
            self._missing = int(line[1:]) if line.startswith(b"*") else -1
        while self._missing > 0:
            start = self._at
            line = self._line()
            if line is None:
                return False
            end = self._at + int(line[1:])
            if len(self._buffer) < end + 2:
                self._at = start
                return False
            self._words.append(bytes(self._buffer[self._at : end]))
            self._at = end + 2
            self._missing -= 1
        return True

    def _line(self) -> bytes | None:
        end = self._buffer.find(b"\n", self._at)
        if end < 0:
            return None
        line = bytes(self._buffer[self._at : end])
        self._at = end + 1
        return line


def _sha1(text: bytes) -> bytes:
    return hashlib.sha1(text).hexdigest().encode()  # noqa: S324 - Redis's own name


def packed(words: Sequence[bytes]) -> bytes:
    """Return a request as bytes."""
    parts = [b"$%d\r\n%b\r\n" % (len(word), word) for word in words]
    return b"*%d\r\n%b" % (len(parts), b"".join(parts))


async def _pump(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    convert: Callable[[bytes], bytes] = bytes,
) -> None:
    """Pass on the bytes of one side until one of the two closes its connection."""
    with contextlib.suppress(OSError):
        while data := await reader.read(1 << 16):
            writer.write(convert(data))
            await writer.drain()
    writer.close()


async def _serve(port: int) -> None:
    scripts = Scripts()

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            answers, server = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            writer.close()
            return
        await asyncio.gather(_pump(reader, server, Requests(scripts).feed), _pump(answers, writer))

    listener = await asyncio.start_server(accept, "127.0.0.1", 0)
    sys.stdout.write(f"{listener.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await listener.serve_forever()


def main() -> None:
    """Run until the process is killed."""
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(int(sys.argv[1])))


if __name__ == "__main__":
    main()
