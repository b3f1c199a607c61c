-- include: entry
-- include: typed
-- Removes the pending items whose values are not given; entries in neither format stay pending.
-- Redisson sends no ZREM, so the items that it removes from the list are still transferred.
--
-- KEYS[1] delay list   KEYS[2] timeout set
-- ARGV    value bytes, one or more
-- Returns 1 if any was removed, else 0.
-- Redisson: RedissonDelayedQueue.retainAllAsync(Collection)
local kept = {}
for i = 1, #ARGV do
    kept[ARGV[i]] = true
end
local result = 0
need('zrem', KEYS[2], 'pyredisson_none')
typed('zset', 'zrem', KEYS[2])
local entries = call('lrange', KEYS[1], 0, -1)
for i = 1, #entries do
    local value = value_of(entries[i])
    if value and not kept[value] then
        for _ = 1, call('LREM', KEYS[1], 0, entries[i]) do
            undo('rpush', KEYS[1], entries[i])
        end
        call('zrem', KEYS[2], entries[i])
        result = 1
    end
end
return result
