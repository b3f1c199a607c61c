"""How the tests of the protocol spell an operation: as the words that would be sent."""

from __future__ import annotations

from typing import Any

from pyredisson.protocol.kernel.command import Command, Operation


def words(operation: Operation[Any]) -> tuple[Any, ...]:
    """Return a command's words; of a script its name, its keys and its arguments."""
    if isinstance(operation, Command):
        return operation.args
    return (operation.script.name, operation.keys, operation.args)


READS = {
    *("EXISTS", "PTTL", "PEXPIRETIME", "OBJECT", "DUMP", "TYPE", "LINDEX", "LRANGE", "LLEN"),
    *(
        "LPOS",
        "delayed/contains",
        "delayed/contains_all",
        "delayed/find",
        "delayed/page",
        "delayed/retries",
        "queues/contains_all",
        "objects/memory",
        "GET",
        "STRLEN",
        "ZSCORE",
        *("collections/set_cache_contains", "collections/set_cache_size"),
        *("collections/set_cache_read", "collections/set_cache_scan"),
        "collections/list_get",
        *("ZMSCORE", "ZRANK", "ZREVRANK", "ZCARD", "ZCOUNT", "ZRANGE", "ZREVRANGE", "ZSCAN"),
        *("ZRANGEBYSCORE", "ZREVRANGEBYSCORE", "ZRANDMEMBER", "ZUNION", "ZDIFF", "ZINTER"),
        "ZINTERCARD",
        *("SCARD", "SISMEMBER", "SMISMEMBER", "SMEMBERS", "SRANDMEMBER", "SSCAN"),
        *("SUNION", "SDIFF", "SINTER", "SINTERCARD"),
    ),
}
"""What changes nothing, so that it may be sent twice."""

HARMLESS = {"TOUCH", "delayed/transfer"}
"""What changes something, but the second time nothing that the first did not."""


def may_be_sent_twice(operation: Operation[Any]) -> bool:
    """Tell whether a lost reply of this operation allows a second try, by its first word."""
    return words(operation)[0] in READS | HARMLESS
