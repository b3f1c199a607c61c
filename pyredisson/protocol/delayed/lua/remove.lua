-- include: member
-- Removes the first pending item of a value.
--
-- KEYS[1] delay list   KEYS[2] timeout set
-- ARGV[1] value bytes
-- Returns 1 when one was removed, else 0.
-- Redisson: RedissonDelayedQueue.removeAsync(Object, int)
need('lrem', KEYS[1], 'none', '')
local size = call('llen', KEYS[1])
for i = 0, size - 1 do
    local member = call('lindex', KEYS[1], i)
    if member and value_of(member) == ARGV[1] then
        call('zrem', KEYS[2], member)
        call('lrem', KEYS[1], 1, member)
        return 1
    end
end
return 0
