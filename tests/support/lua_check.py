"""The Lua checks of Alibaba's proxy, with its errors, unless `script_check_enable` is 0.

Documented in "Lua scripting in Tair (Redis OSS-compatible)", its part on clusters and proxies; the
error texts are from reports such as redisson/redisson#5596 and go-redis/redis_rate#93. The proxy
reads the script's text: it rejects a call if it does not recognize the command and its key.
"""

import re
from collections.abc import Sequence

from tests.support.requests import slots_of

_BAD = "ERR bad lua script for redis cluster, "
NOT_LITERAL = _BAD + "first parameter of redis.call/redis.pcall must be a single literal string"
NOT_IN_KEYS = (
    _BAD + "all the keys that the script uses should be passed using the KEYS array, "
    "and KEYS should not be in expression"
)
NO_KEYS = "ERR for redis cluster, eval/evalsha number of keys can't be negative or zero"
SEVERAL_SLOTS = "ERR eval/evalsha command keys must be in same slot"

_COMMENT = re.compile(rb"--[^\n]*")
_CALL = re.compile(rb"redis\s*\.\s*p?call\b\s*\(\s*")
_COMMAND = re.compile(rb"""(['"])(\w+)\1\s*[,)]\s*""")
_KEY = re.compile(rb"KEYS\s*\[\s*\d+\s*\]\s*[,)]")
_KEYLESS = frozenset({"TIME", "PING", "PUBLISH", "INFO", "ECHO"})


def objection(name: str, words: Sequence[bytes]) -> str | None:
    """Return the error for a request, or None."""
    if name == "SCRIPT" and len(words) > 2 and words[1].upper() == b"LOAD":
        return _objection_to(words[2])
    if name not in ("EVAL", "EVALSHA"):
        return None
    if int(words[2]) <= 0:
        return NO_KEYS
    if len(slots_of(name, words)) > 1:
        return SEVERAL_SLOTS
    return _objection_to(words[1]) if name == "EVAL" else None


def _objection_to(text: bytes) -> str | None:
    text = _COMMENT.sub(b"", text)
    for call in _CALL.finditer(text):
        command = _COMMAND.match(text, call.end())
        if command is None:
            return NOT_LITERAL
        if command[2].decode().upper() in _KEYLESS:
            continue
        if not _KEY.match(text, command.end()):
            return NOT_IN_KEYS
    return None
