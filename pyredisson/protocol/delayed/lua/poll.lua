-- include: typed
-- Pops the oldest pending items, due or not, in the order in which they were offered.
--
-- KEYS[1] delay list   KEYS[2] timeout set
-- ARGV[1] how many at most
-- Returns the packed entries, so that an undecodable one is not lost.
-- Redisson: RedissonDelayedQueue.pollAsync() and pollAsync(int)
local entries = {}
need('zrem', KEYS[2], 'pyredisson_none')
typed('zset', 'zrem', KEYS[2])
for i = 1, tonumber(ARGV[1]) do
    local entry = call('lpop', KEYS[1])
    if entry == false then
        break
    end
    undo('lpush', KEYS[1], entry)
    call('zrem', KEYS[2], entry)
    entries[i] = entry
end
return entries
