"""Loads the Lua scripts: one file per operation, with a header that this module reads.

A header line ``-- include: entry`` prepends the functions of ``_entry.lua`` in the same folder.
``-- include: consumers/records`` prepends those of ``consumers/lua/_records.lua``. Every text
begins with ``kernel/lua/_errors.lua``.

A script runs inside the prelude, ``kernel/lua/_prelude.lua``, which undoes earlier writes if a
command is rejected. A script with ``-- frame: none`` has no prelude and undoes its writes itself.
Such a script runs so often that the prelude would cost more than the script. Comments are stripped
before the script is sent. The SHA1 is computed from the sent text.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache
from importlib.resources import files
from typing import NamedTuple

__all__ = ["Script", "load"]

# `files` imports modules. If another thread forks during an import, it is possible that the child
# hangs. Therefore `files` is called when this module is imported, and not by `load`.
_FILES = files("pyredisson.protocol")
_INCLUDE = re.compile(r"^-- include: (?:(\w+)/)?(\w+)$", re.MULTILINE)
_FRAMELESS = re.compile(r"^-- frame: none$", re.MULTILINE)
_BODY = "-- script\n"
_COMMENT = re.compile(r"^\s*--.*\n|\s+--.*$", re.MULTILINE)


class Script(NamedTuple):
    """A Lua script: its name, the text that is sent, and the SHA1 of this text for EVALSHA."""

    name: str
    text: str
    sha: str


def source(name: str) -> str:
    """Return the text of ``protocol/room/lua/operation.lua`` for the name ``room/operation``."""
    room, operation = name.split("/")
    return _FILES.joinpath(room, "lua", f"{operation}.lua").read_text("utf-8")


@cache
def load(name: str) -> Script:
    """Return the script ``room/operation`` with its includes and its prelude, if it has one."""
    body = source(name)
    here = name.rpartition("/")[0]
    parts = [source(f"{folder or here}/_{part}") for folder, part in _INCLUDE.findall(body)]
    whole = "".join([*parts, body.strip(), "\n"])
    if not _FRAMELESS.search(body):
        whole = source("kernel/_prelude").replace(_BODY, whole)
    text = _COMMENT.sub("", source("kernel/_errors") + whole).strip() + "\n"
    return Script(name, text, hashlib.sha1(text.encode()).hexdigest())  # noqa: S324 - Redis's own name
