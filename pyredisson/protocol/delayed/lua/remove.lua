-- include: entry
-- Removes the first pending item with a value.
--
-- KEYS[1] delay list   KEYS[2] timeout set
-- ARGV[1] value bytes
-- Returns 1 if one was removed, else 0.
-- Redisson: RedissonDelayedQueue.removeAsync(Object, int)
need('lrem', KEYS[1], 'none', '')
local size = call('llen', KEYS[1])
for i = 0, size - 1 do
    local entry = call('lindex', KEYS[1], i)
    if entry and value_of(entry) == ARGV[1] then
        call('zrem', KEYS[2], entry)
        call('lrem', KEYS[1], 1, entry)
        return 1
    end
end
return 0
