-- include: entry
-- Removes all pending items with any of the values.
--
-- KEYS[1] delay list   KEYS[2] timeout set
-- ARGV    value bytes, one or more
-- Returns 1 if any was removed, else 0.
-- Redisson: RedissonDelayedQueue.removeAllAsync(Collection)
local wanted = {}
for i = 1, #ARGV do
    wanted[ARGV[i]] = true
end
need('lrem', KEYS[1], 'none', '')
local result, i, size = 0, 0, call('llen', KEYS[1])
local left = size
while i < size and left > 0 do
    local entry = call('lindex', KEYS[1], i)
    if not entry then
        break
    end
    local value = value_of(entry)
    if value and wanted[value] then
        call('zrem', KEYS[2], entry)
        left = left - call('lrem', KEYS[1], 0, entry)
        size = size - 1
        result = 1
    else
        i = i + 1
    end
end
return result
