-- include: member
-- include: typed
-- Keeps only the pending items of the given values; what cannot be read is kept, too.
-- Redisson forgets the ZREM, so what it "removes" is delivered all the same.
--
-- KEYS[1] delay list   KEYS[2] timeout set
-- ARGV    value bytes, one or more
-- Returns 1 when any was removed, else 0.
-- Redisson: RedissonDelayedQueue.retainAllAsync(Collection)
local kept = {}
for i = 1, #ARGV do
    kept[ARGV[i]] = true
end
local result = 0
need('zrem', KEYS[2], 'pyredisson_none')
typed('zset', 'zrem', KEYS[2])
local members = call('lrange', KEYS[1], 0, -1)
for i = 1, #members do
    local value = value_of(members[i])
    if value and not kept[value] then
        for _ = 1, call('LREM', KEYS[1], 0, members[i]) do
            undo('rpush', KEYS[1], members[i])
        end
        call('zrem', KEYS[2], members[i])
        result = 1
    end
end
return result
