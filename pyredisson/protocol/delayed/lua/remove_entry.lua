-- include: typed
-- Removes one pending item by its exact entry.
--
-- KEYS[1] delay list   KEYS[2] timeout set
-- ARGV[1] packed entry
-- Returns 1 if the list or the set had the entry, else 0.
-- Redisson: the iterator's remove() of RedissonDelayedQueue, which works by index
need('zrem', KEYS[2], 'pyredisson_none')
typed('zset', 'zrem', KEYS[2])
local listed = call('lrem', KEYS[1], 1, ARGV[1])
if listed > 0 then
    undo('lpush', KEYS[1], ARGV[1])
end
local timed = call('zrem', KEYS[2], ARGV[1])
return math.max(listed, timed)
