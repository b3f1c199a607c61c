"""Helpers of the protocol's tests: the words of an operation, and which may be sent twice."""

from __future__ import annotations

from typing import Any

from pyredisson.protocol.kernel.command import Command, Operation


def words(operation: Operation[Any]) -> tuple[Any, ...]:
    """Return a command's words, or a script's name, keys and arguments."""
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
"""Commands and scripts that change nothing, so that they may be sent twice."""

HARMLESS = {"TOUCH", "delayed/transfer"}
"""Commands and scripts whose second call changes nothing that the first did not change."""


def may_be_sent_twice(operation: Operation[Any]) -> bool:
    """Return whether the operation may be sent again after a lost reply, by its first word."""
    return words(operation)[0] in READS | HARMLESS
