"""Java's operations on the queue: a transfer in a release's format, complete or interrupted."""

from dataclasses import dataclass
from typing import Any

from redis.exceptions import ResponseError

from pyredisson.protocol.delayed.entry import WireFormat
from tests.support.consumer_model.places import Entry, Places
from tests.support.consumer_model.rig import NAMES, Rig

_LIMIT = 50
_TRANSFER = """
local expired = redis.call('zrangebyscore', KEYS[2], 0, ARGV[1], 'limit', 0, ARGV[2])
if #expired > 0 then
    for i, v in ipairs(expired) do
        if i > tonumber(ARGV[3]) then
            return redis.error_reply('ERR it stops here')
        end
        local randomId, value = struct.unpack('%s', v)
        redis.call('rpush', KEYS[1], value)
        redis.call('lrem', KEYS[3], 1, v)
    end
    redis.call('zrem', KEYS[2], unpack(expired))
end
return #expired
"""
_TEXTS = {
    WireFormat.CURRENT: _TRANSFER % "Bc0Lc0",
    WireFormat.LEGACY: _TRANSFER % "dLc0",
}


@dataclass(frozen=True)
class Moved:
    """The messages that a transfer has moved, and whether it has also removed them."""

    entries: list[Entry]
    whole: bool


def transfer(rig: Rig, places: Places, layout: WireFormat, stop: int) -> Moved:
    """Run QueueTransferTask's script of a release; it fails at an entry of another format.

    Args:
        rig: the servers.
        places: the places of all messages before the transfer.
        layout: the format of the release.
        stop: the transfer always fails after this many entries.
    """
    keys = (NAMES.queue.name, NAMES.queue.timeout_set, NAMES.queue.delay_list)
    due = sorted(
        (entry.due_ms, packed)
        for packed, entry in places.pending.items()
        if entry.due_ms <= places.now_ms
    )[:_LIMIT]
    moved: list[Entry] = []
    for _, packed in due:
        if places.pending[packed].layout is not layout or len(moved) == stop:
            break
        moved.append(places.pending[packed])
    words: tuple[Any, ...] = (places.now_ms, _LIMIT, stop)
    try:
        (count,) = rig.read([("EVAL", _TEXTS[layout], 3, *keys, *words)])
    except ResponseError:
        count = None
    assert (count is not None) == (len(moved) == len(due))
    return Moved(moved, count is not None)


def remove(rig: Rig, entry: bytes) -> None:
    """Remove a pending entry, as RDelayedQueue's remove does."""
    rig.read([("ZREM", NAMES.queue.timeout_set, entry), ("LREM", NAMES.queue.delay_list, 1, entry)])
