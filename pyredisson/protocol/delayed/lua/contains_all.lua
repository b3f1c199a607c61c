-- include: entry
-- Checks whether all values are pending.
--
-- KEYS[1] delay list
-- ARGV    value bytes, one or more
-- Returns 1 or 0.
-- Redisson: RedissonDelayedQueue.containsAllAsync(Collection), as in 3.33.0 and newer
local missing, count = {}, 0
for i = 1, #ARGV do
    if not missing[ARGV[i]] then
        missing[ARGV[i]] = true
        count = count + 1
    end
end
local size = call('llen', KEYS[1])
for i = 0, size - 1 do
    local entry = call('lindex', KEYS[1], i)
    local value = entry and value_of(entry)
    if value and missing[value] then
        missing[value] = nil
        count = count - 1
    end
end
return count == 0 and 1 or 0
