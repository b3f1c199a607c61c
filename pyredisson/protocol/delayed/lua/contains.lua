-- include: entry
-- Checks whether a value is pending.
--
-- KEYS[1] delay list
-- ARGV[1] value bytes
-- Returns 1 or 0.
-- Redisson: RedissonDelayedQueue.containsAsync(Object)
local size = call('llen', KEYS[1])
for i = 0, size - 1 do
    local entry = call('lindex', KEYS[1], i)
    if entry and value_of(entry) == ARGV[1] then
        return 1
    end
end
return 0
