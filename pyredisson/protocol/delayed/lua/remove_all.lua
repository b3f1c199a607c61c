-- include: member
-- Removes all pending items of any of the values.
--
-- KEYS[1] delay list   KEYS[2] timeout set
-- ARGV    value bytes, one or more
-- Returns 1 when any was removed, else 0.
-- Redisson: RedissonDelayedQueue.removeAllAsync(Collection)
local wanted = {}
for i = 1, #ARGV do
    wanted[ARGV[i]] = true
end
need('lrem', KEYS[1], 'none', '')
local result, i, size = 0, 0, call('llen', KEYS[1])
local left = size
while i < size and left > 0 do
    local member = call('lindex', KEYS[1], i)
    if not member then
        break
    end
    local value = value_of(member)
    if value and wanted[value] then
        call('zrem', KEYS[2], member)
        left = left - call('lrem', KEYS[1], 0, member)
        size = size - 1
        result = 1
    else
        i = i + 1
    end
end
return result
